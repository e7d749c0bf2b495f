import { listOf, textAt } from '../engine/answer-body.ts'
import { clockSkew, invalid, provider, undetermined, valid } from '../engine/provider.ts'
import { edgeGridHeaders } from '../engine/signatures.ts'

const path = '/config-dns/v2/zones?pageSize=1&showAll=false'
const problems = 'https://problems.luna.akamaiapis.net/-/'

export default provider({
  id: 'akamai',
  title: 'Akamai',
  docs: 'https://techdocs.akamai.com/edge-dns/reference/get-zones',
  keyPage: 'https://control.akamai.com/apps/identity-management/',
  baseUrl: 'https://*.luna.akamaiapis.net',
  keyTypes: {
    api_key: {
      label: 'API client',
      keyLabel: 'client secret',
      email: 'unused',
      parts: {
        clientToken: { label: 'client token', pattern: '^akab-', example: 'akab-example-client' },
        accessToken: { label: 'access token', isSecret: true, pattern: '^akab-', example: 'akab-example-access' },
        host: {
          label: 'host',
          // The first label becomes part of the host name.
          mustMatch: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.luna\\.akamaiapis\\.net$',
          example: 'akab-example.luna.akamaiapis.net',
        },
      },
    },
  },
  certainty: 'logged',
  remarks: 'The answer to a wrong access token is unknown, so it proves nothing.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request({ apiKey, parts: { clientToken = '', accessToken = '', host = '' } }, moment) {
    const key = { clientToken, accessToken, clientSecret: apiKey }
    return { path, headers: edgeGridHeaders(key, `https://${host}${path}`, moment), label: host.split('.')[0] ?? '' }
  },
  classify({ status, body }) {
    const [type, detail] = [textAt(body, 'type'), textAt(body, 'detail')]
    if (status === 200 && listOf(body, 'zones', 'zone')) return valid()
    if (status === 400 && detail === 'Invalid timestamp') return clockSkew
    if (status === 401 && type === `${problems}pep-authn/deny`) {
      if (detail === 'Inactive client token') return invalid('unknown_part', { part: 'client token' })
      if (detail === 'The signature does not match') return invalid('wrong_part', { part: 'client secret' })
    }
    // Genuine, but without a grant for Edge DNS.
    if (status === 403 && type === `${problems}pep-authz/deny`) return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
