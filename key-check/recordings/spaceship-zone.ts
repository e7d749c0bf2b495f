import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'spaceship',
  keyType: 'api_key',
  parts: { apiKeyId: 'sp-key-id' },
  call: {
    method: 'GET',
    path: '/v1/dns/records/example.org?take=1&skip=0',
    headers: { 'x-api-key': 'sp-key-id', 'x-api-secret': '{key}' },
  },
  asks: { zone: 'example.org' },
  answers: [
    {
      name: 'zone',
      source:
        'go-acme/lego providers/dns/spaceship/internal/fixtures/get_records.json @a0e15c2 (body), acmesh-official/acme.sh dnsapi/dns_spaceship.sh @d60c75b (a 200 is a zone of the account)',
      status: 200,
      body: { items: [{ type: 'A', name: '@', ttl: 3600, group: { type: 'custom' } }], total: 100 },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          abilities: ['zones:list', 'dns:read'],
          zonesVisible: 3,
          zones: ['example.com'],
          moreZones: true,
        },
        fitsPurpose: 'yes',
      },
    },
    {
      name: 'zone-refused',
      madeUp: 'acmesh-official/acme.sh#6304 has the text, but not the status',
      status: 403,
      body: { detail: "The user's request was not properly authorized." },
    },
    { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: { detail: 'Not found' } },
  ],
}
