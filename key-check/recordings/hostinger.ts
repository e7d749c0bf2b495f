import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'hostinger',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/api/domains/v1/portfolio',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'hostinger/api-php-sdk docs/Api/DomainsPortfolioApi.md @6e17b05 (no domain)',
      status: 200,
      body: [],
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      source: 'go-acme/lego providers/dns/hostinger/internal/fixtures/error_401.json @a0e15c2',
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
