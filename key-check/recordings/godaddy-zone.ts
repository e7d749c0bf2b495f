import type { Recording } from '../simulator/recording.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/godaddy @e23b58a'

export const recording: Recording = {
  id: 'godaddy',
  keyType: 'api_key',
  parts: { apiKeyId: 'dLf3TfeWKbPp' },
  call: {
    method: 'GET',
    path: '/v1/domains/example.net/records/NS/@',
    headers: { authorization: 'sso-key dLf3TfeWKbPp:{key}' },
  },
  asks: { zone: 'example.net' },
  answers: [
    {
      name: 'zone',
      source: `${cassettes} (the members)`,
      status: 200,
      body: [{ data: 'ns01.domaincontrol.com', name: '@', ttl: 3_600, type: 'NS' }],
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'not-found',
      source: `${cassettes} (of the domain itself)`,
      status: 404,
      body: { code: 'NOT_FOUND', message: 'Domain thisisadomainidonotown.com not found for shopper' },
    },
  ],
}
