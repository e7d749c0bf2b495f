import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'variomedia',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/domains',
    headers: {
      authorization: 'token {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        data: [],
        links: {},
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      status: 401,
      body: {
        errors: [
          {
            status: '401',
            title: 'The server could not verify that you are authorized to access the URL requested.',
            id: 'unauthorized',
          },
        ],
        links: {},
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: {
        errors: [],
      },
    },
    {
      name: 'rate-limited',
      status: 429,
      headers: {
        'retry-after': '17',
      },
      body: {
        message: 'Too many requests',
      },
    },
  ],
}
