import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'hosttech',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/api/user/v1/zones?limit=1',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        data: [],
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
        message: 'Unauthenticated.',
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
        message: 'This action is unauthorized.',
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: {
        message: 'Other',
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
