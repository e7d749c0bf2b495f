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
      name: 'invalid',
      status: 401,
      body: {
        status: 'failed',
        message: 'Unauthorized',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'limited',
      status: 403,
      body: {
        status: 'failed',
        message: 'Forbidden',
      },
      verdict: {
        isValid: true,
        code: 'limited_permissions',
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
