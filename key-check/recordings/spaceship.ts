import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'spaceship',
  keyType: 'api_key',
  parts: { apiKeyId: 'sp-key-id' },
  call: {
    method: 'GET',
    path: '/v1/domains?take=1&skip=0',
    headers: { 'x-api-key': 'sp-key-id', 'x-api-secret': '{key}' },
  },
  answers: [
    {
      name: 'valid',
      source: 'https://docs.spaceship.dev/#tag/Domains/operation/getDomainList, 2026-11',
      status: 200,
      body: { items: [{ name: 'example.com', lifecycleStatus: 'registered' }], total: 3 },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list'], zonesVisible: 3, zones: ['example.com'], moreZones: true },
      },
    },
    {
      name: 'no-domains',
      source: 'https://docs.spaceship.dev/#tag/Domains/operation/getDomainList, 2026-11',
      status: 200,
      body: { items: [], total: 0 },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'refused',
      madeUp: 'the form is the one of go-acme/lego providers/dns/spaceship/internal/fixtures/error.json @a0e15c2',
      status: 401,
      body: { detail: 'Unauthorized' },
    },
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 200,
      body: { domains: [] },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
