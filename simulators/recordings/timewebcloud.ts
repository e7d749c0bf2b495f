import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'timewebcloud',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/api/v1/account/status',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        status: {
          is_blocked: false,
        },
        response_id: '15095f25-aac3-4d60-a788-96cb5136f186',
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
        status_code: 401,
        message: 'Unauthorized',
        error_code: 'unauthorized',
        response_id: '15095f25-aac3-4d60-a788-96cb5136f186',
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
        status_code: 403,
        message: 'Forbidden',
        error_code: 'forbidden',
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: {
        error_code: 'other',
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
