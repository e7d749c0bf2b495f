import { listOf, textAt, zonesIn } from '../engine/answers.ts'
import {
  invalid,
  type OpenCredential,
  type ProviderRequest,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'

export default provider({
  id: 'godaddy',
  title: 'GoDaddy',
  docs: 'https://developer.godaddy.com/doc/endpoint/domains#/v1/list',
  keyPage: 'https://developer.godaddy.com/keys',
  baseUrl: 'https://api.godaddy.com',
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'API secret',
      parts: { apiKeyId: { label: 'API key' } },
      // https://developer.godaddy.com/en/docs/api-users/auth, quoted in rmbolger/Posh-ACME#686.
      advice: 'GoDaddy ends its API keys after 2026. A personal access token can be limited and expires.',
    },
    api_token: {
      label: 'personal access token',
      publishedForm: { pattern: '^gd_pat_\\S+$', source: 'https://github.com/godaddy/cli/pull/131, 2026-07-20' },
    },
  },
  certainty: 'logged',
  remarks:
    'Keys of the test environment (OTE) are not known to the production API, which is called here. GoDaddy allows its API only to some accounts, ' +
    'such as those with a domain; the keys of others are genuine all the same. A token needs the scope domains.domain:read besides domains.dns:update. ' +
    'GoDaddy rejects every read of a token that lacks it, so a rejected token is not called invalid.',
  // Documented: 60 calls a minute. Any lower, the lookup of a zone right after the first call would be held back.
  callsPerSecondMax: 0.95,
  // Only tokens have scopes.
  firstRead: { needs: 'domains.domain:read', grows: 'never' },
  abilities: {
    zone: {
      // The domain itself would come with its transfer code and the addresses of its owner.
      request: (credential, _, { zone }) => get(credential, `/v1/domains/${zone}/records/NS/@`),
      find({ status, body }) {
        const records = status === 200 ? listOf(body, '', 'data') : undefined
        const isOfZone = records?.every((record) => textAt(record, 'type') === 'NS' && textAt(record, 'name') === '@')
        return isOfZone && records?.length ? { hasZone: true, capabilities: { abilities: ['dns:read'] } } : undefined
      },
    },
  },
  shapeOf: (apiKey) => (apiKey.startsWith('gd_pat_') ? 'token' : 'other'),
  request: (credential) => get(credential, '/v1/domains?limit=1'),
  classify({ status, body, keyType, shape }) {
    const code = textAt(body, 'code')
    const domains = listOf(body, '', 'domain')
    if (status === 200 && domains) {
      const names = domains.map((domain) => textAt(domain, 'domain'))
      return valid(undefined, {}, zonesIn(names, { hasMore: names.length > 0 }))
    }
    // A wrong token and a missing scope get the same answers.
    if (keyType === 'api_token') return undetermined('unexpected_answer')
    if (status === 401 && code === 'UNABLE_TO_AUTHENTICATE')
      // The second cause: qdm12/ddns-updater#221.
      return invalid(
        'wrong_parts',
        shape === 'token' ? { hint: 'looks_like_token' } : { or: 'it belongs to the test environment (OTE)' },
      )
    if (status === 403 && code === 'ACCESS_DENIED') return valid('account_not_entitled')
    return undetermined('unexpected_answer')
  },
})

function get({ keyType, apiKey, parts: { apiKeyId = '' } }: OpenCredential, path: string): ProviderRequest {
  const authorization = keyType === 'api_token' ? `Bearer ${apiKey}` : `sso-key ${apiKeyId}:${apiKey}`
  return { path, headers: { authorization } }
}
