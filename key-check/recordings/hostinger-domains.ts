import type { Recording } from '../simulator/recording.ts'

const source = 'hostinger/api openapi.json @3859515'

export const recording: Recording = {
  id: 'hostinger',
  keyType: 'api_token',
  call: { method: 'GET', path: '/api/domains/v1/portfolio', headers: { authorization: 'Bearer {key}' } },
  asks: {},
  answers: [
    {
      name: 'domains',
      source,
      status: 200,
      body: [
        {
          id: 13632,
          domain: 'mydomain.example',
          type: 'domain',
          status: 'active',
          created_at: '2025-02-27T11:54:22Z',
          expires_at: '2025-03-27T11:54:22Z',
        },
        {
          id: 13633,
          domain: null,
          type: 'free_domain',
          status: 'pending_setup',
          created_at: '2025-02-27T11:54:22Z',
          expires_at: null,
        },
      ],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['mydomain.example'] } },
    },
    {
      name: 'no-domains',
      source: 'hostinger/api-php-sdk docs/Api/DomainsPortfolioApi.md @6e17b05 (no domain)',
      status: 200,
      body: [],
      verdict: { isValid: true, code: 'no_zones' },
    },
    { name: 'other-list', madeUp: 'stands for any other answer', status: 200, body: [{ domain: 'mydomain.example' }] },
    { name: 'other-403', madeUp: 'stands for any other answer', status: 403, body: { message: 'Forbidden' } },
  ],
}
