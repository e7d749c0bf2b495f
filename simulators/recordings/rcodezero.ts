import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'rcodezero',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/api/v2/zones?page_size=1',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        current_page: 1,
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
        status: 'failed',
        message: 'Unauthorized',
      },
    },
    {
      name: 'forbidden',
      status: 403,
      body: {
        status: 'failed',
        message: 'Forbidden',
      },
    },
    {
      name: 'failed-200',
      status: 200,
      body: {
        status: 'failed',
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
