import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'ionoscloud',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/zones?limit=1',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        items: [],
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
        httpStatus: 401,
        messages: [
          {
            errorCode: 'paas-auth-1',
            message: 'Unauthorized, wrong or no api key provided to process this request',
          },
        ],
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
        httpStatus: 403,
        messages: [
          {
            errorCode: 'paas-auth-2',
            message: 'Forbidden',
          },
        ],
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
        httpStatus: 401,
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
