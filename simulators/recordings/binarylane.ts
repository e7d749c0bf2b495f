import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'binarylane',
  keyType: 'api_token',
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
          email: 'person@example.com',
          status: 'active',
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
        type: 'https://tools.ietf.org/html/rfc7235#section-3.1',
        title: 'Unauthorized',
        status: 401,
        detail: 'no',
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
        type: 'about:blank',
        title: 'Forbidden',
        status: 403,
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: {
        title: 'Unauthorized',
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
