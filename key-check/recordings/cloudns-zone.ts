import type { Recording } from '../simulator/recording.ts'
import { isForm } from '../simulator/signatures.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/cloudns @e23b58a'

export const recording: Recording = {
  id: 'cloudns',
  keyType: 'api_key',
  parts: { authId: '1234' },
  call: {
    method: 'POST',
    path: '/dns/get-zone-info.json',
    headers: {},
    accepts: (sent, { apiKey, parts: { authId = '' } }) =>
      isForm(sent, { 'auth-id': authId, 'auth-password': apiKey, 'domain-name': 'api-example.com' }),
  },
  asks: { zone: 'api-example.com' },
  answers: [
    {
      name: 'zone',
      source: cassettes,
      status: 200,
      body: { name: 'api-example.com', type: 'master', zone: 'domain', status: '1' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: cassettes,
      status: 200,
      body: { status: 'Failed', statusDescription: 'Missing domain-name' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'plan',
      source: 'NginxProxyManager/nginx-proxy-manager#2554 (shows nothing)',
      status: 200,
      body: { status: 'Failed', statusDescription: "You don't have access to the HTTP API. Check your plan." },
    },
  ],
}
