import type { Recording } from '../simulator/recording.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/ultradns @e23b58a (without a limit)'

export const recording: Recording = {
  id: 'ultradns',
  keyType: 'api_key',
  parts: { username: 'api-user' },
  call: {
    method: 'GET',
    path: '/v2/zones/example.com./rrsets?offset=0&limit=1',
    headers: { authorization: 'Bearer {token}' },
  },
  asks: { zone: 'example.com' },
  answers: [
    {
      name: 'zone',
      source: cassettes,
      status: 200,
      body: {
        zoneName: 'example.com.',
        rrSets: [{ ownerName: 'docs.example.com.', rrtype: 'CNAME (5)', ttl: 3600, rdata: ['docs.example.net.'] }],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['dns:read'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: cassettes,
      status: 404,
      body: [{ errorCode: 1801, errorMessage: 'Zone does not exist in the system.' }],
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: [{ errorCode: 1 }] },
  ],
}
