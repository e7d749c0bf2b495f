import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'vultr',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/v2/account',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        account: {
          name: 'Example',
          email: 'admin@example.com',
          acls: ['dns'],
          balance: 0,
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
        error: 'Invalid API token.',
        status: 401,
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'filtered',
      status: 401,
      body: {
        error: 'Unauthorized IP address: 203.0.113.9',
        status: 401,
      },
      verdict: {
        isValid: true,
        code: 'ip_filtered',
      },
    },
    {
      name: 'forbidden',
      status: 403,
      body: {
        error: 'Forbidden',
        status: 403,
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: {
        error: 'Try again',
        status: 401,
      },
    },
    {
      name: 'rate-limited',
      status: 429,
      headers: {
        'retry-after': '17',
      },
      body: {
        error: 'Rate limit reached',
        status: 429,
      },
    },
  ],
}
