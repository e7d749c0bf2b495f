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
      name: 'invalid',
      status: 401,
      body: {
        result: 'error',
        error: {
          code: 'not_authorized',
          description: 'Authorization required',
        },
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
        result: 'error',
        error: {
          code: 'forbidden',
          description: 'Forbidden',
        },
      },
      verdict: {
        isValid: true,
        code: 'limited_permissions',
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
