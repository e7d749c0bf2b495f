import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'keycdn',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/zones.json',
    headers: {
      authorization: 'Basic {key:}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        status: 'success',
        description: 'Data successfully received.',
        data: {
          zones: [],
        },
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      status: 403,
      body: {
        status: 'error',
        description: 'Access denied',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'invalid-401',
      status: 401,
      body: {
        status: 'error',
        description: 'Access denied',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'error-200',
      status: 200,
      body: {
        status: 'error',
        description: '?',
      },
    },
    {
      name: 'other-403',
      status: 403,
      body: {},
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
