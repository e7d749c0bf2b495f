import type { Recording } from '../simulator/recording.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/linode @e23b58a'

export const recording: Recording = {
  id: 'linode',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v4/domains?page_size=50',
    headers: { authorization: 'Bearer {key}' },
  },
  asks: {},
  answers: [
    {
      name: 'zones',
      source: cassettes,
      status: 200,
      body: {
        data: [{ id: 1065421, domain: 'example.com', type: 'master', status: 'active' }],
        page: 1,
        pages: 1,
        results: 1,
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.com'] } },
    },
    {
      name: 'out-of-scope',
      source: 'linode/linode-cli#142',
      status: 401,
      body: { errors: [{ reason: 'Your OAuth token is not authorized to use this endpoint.' }] },
      verdict: { isValid: true, code: 'ability_missing' },
      shows: { capabilities: { lacks: ['zones:list', 'dns:read'], missing: ['domains:read_only'] } },
    },
    {
      name: 'other-403',
      madeUp: 'stands for any other answer, which shows nothing',
      status: 403,
      body: { errors: [{ reason: 'Unauthorized' }] },
    },
  ],
}
