import type { Recording } from '../simulator/recording.ts'

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
      source: 'https://www.keycdn.com/api, 2026-10',
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
      source: 'https://www.keycdn.com/api, 2026-10 (status, members and meaning)',
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
      name: 'refused-401',
      madeUp: 'no source shows the text of this refusal',
      status: 401,
      body: {
        status: 'error',
        description: 'Access denied',
      },
    },
    {
      name: 'error-200',
      madeUp: 'represents answers that the provider file does not list',
      status: 200,
      body: {
        status: 'error',
        description: '?',
      },
    },
    {
      name: 'other-403',
      madeUp: 'represents answers that the provider file does not list',
      status: 403,
      body: {},
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
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
