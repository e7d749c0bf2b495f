import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'netlify',
  keyType: 'api_token',
  call: { method: 'GET', path: '/dns_zones/example_com', headers: { authorization: 'Bearer {key}' } },
  asks: { zone: 'example.com' },
  answers: [
    {
      name: 'zone',
      source: 'netlify/open-api swagger.yml @6508031 (the members)',
      status: 200,
      body: {
        id: 'example_com',
        name: 'example.com',
        account_id: '5c9fb1a2',
        account_slug: 'example',
        dns_servers: ['dns1.p01.nsone.net'],
        records: [],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'other-zone',
      madeUp: 'no source says that an id is always the name',
      status: 200,
      body: { id: 'example_com', name: 'example.org', dns_servers: ['dns1.p01.nsone.net'], records: [] },
    },
    { name: 'other-404', madeUp: 'no source shows the answer for an unknown zone', status: 404, body: { code: 404 } },
  ],
}
