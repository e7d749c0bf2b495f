import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'hostinger',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/api/domains/v1/move/outgoing',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'hostinger/api openapi.json @3859515 (no move)',
      status: 200,
      body: [],
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'valid-moving',
      source: 'hostinger/api openapi.json @3859515',
      status: 200,
      body: [
        {
          domain: 'mydomain.example',
          status: 'initiated',
          created_at: '2026-08-04T10:00:00Z',
          updated_at: '2026-08-04T10:00:00Z',
        },
      ],
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'invalid',
      source: 'hostinger/api openapi.json @3859515',
      status: 401,
      body: {
        message: 'Unauthenticated',
        correlation_id: '26a91bd9-f8c8-4a83-9df9-83e23d696fe3',
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
        message: 'Forbidden',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {},
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
