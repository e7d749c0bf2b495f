import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'hostinger',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/api/domains/v1/portfolio',
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
        message: 'Unauthenticated',
        correlation_id: '26a91bd9-f8c8-4a83-9df9-83e23d696fe3',
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
        message: 'Forbidden',
      },
    },
    {
      name: 'other-401',
      status: 401,
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
