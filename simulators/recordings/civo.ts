import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'civo',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/v2/dns',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: [],
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      status: 401,
      body: {
        code: 'database_account_not_found',
        reason: 'Failed to find the account within the internal database',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'forbidden',
      status: 403,
      body: {
        code: 'forbidden',
        reason: 'Forbidden',
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: {
        code: 'other',
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
