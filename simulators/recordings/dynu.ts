import type { Recording } from '../providers/recording.ts'

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
      status: 401,
      body: {
        statusCode: 401,
        type: 'Authentication Exception',
        message: 'Invalid.',
      },
    },
    {
      name: 'error-200',
      status: 200,
      body: {
        statusCode: 501,
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
