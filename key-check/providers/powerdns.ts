import { textAt } from '../engine/answer-body.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'powerdns',
  title: 'PowerDNS',
  docs: 'https://doc.powerdns.com/authoritative/http-api/server.html',
  keyPage: 'https://doc.powerdns.com/authoritative/http-api/index.html#enabling-the-api',
  baseUrl: 'https://powerdns.example',
  isOwnServer: true,
  keyTypes: { api_key: { label: 'API key', email: 'unused' } },
  certainty: 'documented',
  remarks:
    'Self-hosted: available only if `MUSTER_PROVIDER_POWERDNS_URL` is set. Requests cannot name another address.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey }) => ({ path: '/api/v1/servers/localhost', headers: { 'x-api-key': apiKey } }),
  classify({ status, body, headers }) {
    if (status === 200 && textAt(body, 'type') === 'Server' && textAt(body, 'daemon_type')) return valid()
    // A proxy in front of it sends another challenge.
    const challenge = headers['www-authenticate'] ?? ''
    if (status === 401 && /^X-API-Key realm="PowerDNS"$/i.test(challenge)) return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
