import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'hosttech',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/api/user/v1/zones?limit=1',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'go-acme/lego providers/dns/hosttech/internal/fixtures/zones.json @a0e15c2 (no zone)',
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
      name: 'invalid',
      source: 'go-acme/lego providers/dns/hosttech/internal/fixtures/error.json @a0e15c2',
      status: 401,
      body: {
        message: 'Unauthenticated.',
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
        message: 'This action is unauthorized.',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        message: 'Other',
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
