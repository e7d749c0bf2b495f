import type { Recording } from '../simulator/recording.ts'

const fixtures = 'luadns/luadns-go testdata/http/zones.index @b473781'
const counters = {
  template_id: 0,
  synced: false,
  queries_count: 0,
  aliases_count: 0,
  redirects_count: 0,
  forwards_count: 0,
}

export const recording: Recording = {
  id: 'luadns',
  keyType: 'api_key',
  call: { method: 'GET', path: '/v1/zones?limit=50', headers: { authorization: 'Basic {email:key}' } },
  asks: {},
  answers: [
    {
      name: 'zones',
      source: fixtures,
      status: 200,
      body: [{ id: 5, name: 'example.org', ...counters, records_count: 11, records: null }],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.org'] } },
    },
    {
      name: 'pages',
      source: `${fixtures} (body), luadns/luadns-go handler.go @b473781 (headers)`,
      status: 200,
      headers: { 'x-page': '1', 'x-limit': '1', 'x-total-count': '2', 'x-pages-count': '2' },
      body: [{ id: 5, name: 'example.org', ...counters, records_count: 11, records: null }],
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list'], zonesVisible: 2, zones: ['example.org'], moreZones: true },
      },
    },
    {
      name: 'no-zones',
      source: 'luadns/luadns-go client_zones.go @b473781 (no zone)',
      status: 200,
      body: [],
      verdict: { isValid: true, code: 'no_zones' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 0 } },
    },
    {
      name: 'zones-forbidden',
      source: 'luadns/luadns-go testdata/http/zones.create:err-forbidden @b473781 (of another call)',
      status: 403,
      body: { status: 'Forbidden', request_id: 'apollo.local/Bcz2Eex1AY-000001', message: 'Forbidden' },
    },
  ],
}
