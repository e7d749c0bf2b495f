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
  call: {
    method: 'GET',
    path: '/v1/zones?limit=50&query=example.org',
    headers: { authorization: 'Basic {email:key}' },
  },
  asks: { zone: 'example.org' },
  answers: [
    {
      name: 'valid',
      isFollowed: true,
      source: `${fixtures}, luadns/luadns-go params.go @b473781 (the search)`,
      status: 200,
      body: [{ id: 5, name: 'example.org', ...counters, records_count: 11, records: null }],
    },
    {
      name: 'no-zone',
      source: 'luadns/luadns-go client_zones.go @b473781 (no zone)',
      status: 200,
      body: [{ id: 6, name: 'old-example.org', ...counters, records_count: 5, records: null }],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'] }, fitsPurpose: 'no' },
    },
    { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: { status: 'Not Found' } },
  ],
}
