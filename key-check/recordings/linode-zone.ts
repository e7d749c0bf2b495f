import type { Recording } from '../simulator/recording.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/linode @e23b58a'

export const recording: Recording = {
  id: 'linode',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v4/domains?page_size=25',
    headers: { authorization: 'Bearer {key}', 'x-filter': '{"domain":"example.com"}' },
  },
  asks: { zone: 'example.com' },
  answers: [
    {
      name: 'valid',
      source: cassettes,
      status: 200,
      body: {
        data: [{ id: 1065421, domain: 'example.com', type: 'master', status: 'active' }],
        page: 1,
        pages: 1,
        results: 1,
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: cassettes,
      status: 200,
      body: { data: [], page: 1, pages: 1, results: 0 },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'unfiltered',
      source: `${cassettes} (a server that ignores the filter)`,
      status: 200,
      body: { data: [{ id: 1065422, domain: 'example.org' }], page: 1, pages: 9, results: 210 },
      shows: { fitsPurpose: 'unknown' },
    },
    {
      name: 'zone-out-of-scope',
      source: 'linode/linode-cli#142',
      status: 401,
      body: { errors: [{ reason: 'Your OAuth token is not authorized to use this endpoint.' }] },
      verdict: { isValid: true, code: 'ability_missing' },
      shows: {
        capabilities: { lacks: ['zones:list', 'dns:read'], missing: ['domains:read_only'] },
        fitsPurpose: 'unknown',
      },
    },
    {
      name: 'other-refusal',
      madeUp: 'stands for any other answer, which shows nothing',
      status: 403,
      body: { errors: [{ reason: 'Unauthorized' }] },
    },
  ],
}
