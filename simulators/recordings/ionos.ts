import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'ionos',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/dns/v1/zones',
    headers: {
      'x-api-key': '{key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: [
        {
          id: '11af3414-ebba-11e9-8df5-66fbe8a334b4',
          name: 'example.com',
          type: 'NATIVE',
        },
      ],
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      status: 401,
      body: [
        {
          code: 'UNAUTHORIZED',
          message: 'The customer is not authorized to do this operation.',
        },
      ],
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'limited',
      status: 403,
      body: [
        {
          code: 'FORBIDDEN',
          message: 'Forbidden',
        },
      ],
      verdict: {
        isValid: true,
        code: 'limited_permissions',
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: [],
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
