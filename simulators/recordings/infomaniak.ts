import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'infomaniak',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/1/profile',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        result: 'success',
        data: {
          id: 1,
        },
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
        result: 'error',
        error: {
          code: 'not_authorized',
          description: 'Authorization required',
        },
      },
    },
    {
      name: 'forbidden',
      status: 403,
      body: {
        result: 'error',
        error: {
          code: 'forbidden',
          description: 'Forbidden',
        },
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: {
        result: 'error',
        error: {
          code: 'other',
        },
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
