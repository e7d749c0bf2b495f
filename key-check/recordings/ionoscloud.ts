import type { Recording } from '../simulator/recording.ts'

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
      source: 'go-acme/lego providers/dns/ionoscloud/internal/fixtures/zones.json @a0e15c2 (no zone)',
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
      source: 'go-acme/lego providers/dns/ionoscloud/internal/fixtures/error.json @a0e15c2',
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
      name: 'forbidden',
      madeUp: 'no source shows the text of this refusal',
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
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        httpStatus: 401,
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
