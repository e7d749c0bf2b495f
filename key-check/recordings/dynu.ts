import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'dynu',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/v2/dns',
    headers: {
      'api-key': '{key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'https://www.dynu.com/Support/API, 2026-11',
      status: 200,
      body: {
        statusCode: 200,
        domains: [],
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'refused',
      madeUp: 'no source shows the text of this refusal',
      status: 401,
      body: {
        statusCode: 401,
        type: 'Authentication Exception',
        message: 'Invalid.',
      },
    },
    {
      name: 'error-200',
      madeUp: 'represents answers that the provider file does not list',
      status: 200,
      body: {
        statusCode: 501,
      },
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
