import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'civo',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/v2/dns',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'civo/civogo dns.go @571ecb5 (no domain)',
      status: 200,
      body: [],
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      source: 'go-acme/lego providers/dns/civo/internal/fixtures/error.json @a0e15c2',
      status: 401,
      body: {
        code: 'database_account_not_found',
        reason: 'Failed to find the account within the internal database',
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
        code: 'forbidden',
        reason: 'Forbidden',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        code: 'other',
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
