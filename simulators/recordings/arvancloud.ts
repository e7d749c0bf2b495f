import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'arvancloud',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/cdn/4.0/domains?per_page=1',
    headers: {
      authorization: 'Apikey {key}',
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
      name: 'refused',
      status: 401,
      body: {
        message: 'Unauthenticated.',
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
