import type { Recording } from '../simulator/recording.ts'

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
      source: 'timeweb-cloud/sdk-python docs/GetAccountStatus200Response.md @c014843',
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
      source: 'go-acme/lego providers/dns/timewebcloud/internal/fixtures/error_unauthorized.json @a0e15c2',
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
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: {
        status_code: 403,
        message: 'Forbidden',
        error_code: 'forbidden',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        error_code: 'other',
      },
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
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
