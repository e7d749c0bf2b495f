import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'mijnhost',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/domains',
    headers: {
      'api-key': '{key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        status: 200,
        status_description: 'Request successful',
        data: {
          domains: [],
        },
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
        status: 401,
        status_description: 'Invalid API key',
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
        status: 500,
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
