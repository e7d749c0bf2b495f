import { listAt, listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import {
  type FoundAbilities,
  invalid,
  type OpenCredential,
  type ProviderRequest,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'

const keyForms = 'StackExchange/dnscontrol, 2026-11 (the prefixes); the length is a guess'

export default provider({
  id: 'porkbun',
  title: 'Porkbun',
  docs: 'https://porkbun.com/api/json/v3/documentation#Authentication',
  keyPage: 'https://porkbun.com/account/api',
  baseUrl: 'https://api.porkbun.com',
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'secret API key',
      publishedForm: { pattern: '^sk1_\\w{16,128}$', source: keyForms },
      parts: {
        apiKeyId: {
          label: 'API key',
          pattern: '^pk1_',
          example: 'pk1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
          publishedForm: { pattern: '^pk1_\\w{16,128}$', source: keyForms },
        },
      },
    },
  },
  certainty: 'logged',
  remarks:
    'API access is also enabled per domain, which the lookup of a zone sees. Clients do not agree on the answer to a key that is limited to ' +
    'other addresses: it may be the same as to a wrong key, so that answer proves nothing. Keys of the sandbox change no real records.',
  firstRead: { grows: 'never' },
  abilities: {
    // Up to 1,000 domains. An account with more than about 250 gets no list here.
    list: {
      request: (credential) => get(credential, '/domain/listAll?start=0&apiAccess=yes'),
      find({ status, body }) {
        const domains = status === 200 && isSuccess(body) ? listOf(body, 'domains', 'domain') : undefined
        if (!domains) return undefined
        const names = domains.filter(hasApiAccess).map((domain) => valueAt(domain, 'domain'))
        return { capabilities: zonesIn(names, { hasMore: domains.length >= 1_000 || names.length < domains.length }) }
      },
    },
    zone: {
      // Few records, and the ones that certificates need.
      request: (credential, _, { zone }) => get(credential, `/dns/retrieveByNameType/${zone}/TXT/_acme-challenge`),
      find({ status, body }) {
        if (status === 200 && isSuccess(body) && listAt(body, 'records'))
          return { hasZone: true, capabilities: { abilities: ['dns:read'] } }
        return reasonIn(body)
      },
    },
  },
  request: (credential) => get(credential, '/ping'),
  classify({ status, body }) {
    // A ping without keys succeeds too, so only this member shows that the keys were checked.
    if (status === 200 && isSuccess(body) && valueAt(body, 'credentialsValid') === true)
      return valid(undefined, valueAt(body, 'sandbox') === true ? { label: 'sandbox API key' } : {})
    if (textAt(body, 'status') !== 'ERROR') return undetermined('unexpected_answer')
    const code = textAt(body, 'code')
    if (code === 'IP_NOT_ALLOWED') return valid('ip_filtered')
    if (code === 'INVALID_API_KEYS_001' || code === 'INVALID_API_KEYS_002') return undetermined('refused')
    // Answers without a code are older than the limits to addresses.
    if (status === 400 && code === '' && textAt(body, 'message').startsWith('Invalid API key.'))
      return invalid('wrong_parts')
    return undetermined('unexpected_answer')
  },
})

function get({ apiKey, parts: { apiKeyId = '' } }: OpenCredential, path: string): ProviderRequest {
  return { path: `/api/json/v3${path}`, headers: { 'x-api-key': apiKeyId, 'x-secret-api-key': apiKey } }
}

function isSuccess(body: unknown): boolean {
  return textAt(body, 'status') === 'SUCCESS'
}

/** Sent as a number or as text. */
function hasApiAccess(domain: unknown): boolean {
  return String(valueAt(domain, 'apiAccess')) === '1'
}

/** Why a zone was refused. The domain of another account and one without API access may get the same answer. */
function reasonIn(body: unknown): FoundAbilities | undefined {
  if (textAt(body, 'status') !== 'ERROR') return undefined
  const [code, message] = [textAt(body, 'code'), textAt(body, 'message')]
  if (message === 'Domain is not opted in to API access.')
    return { hasZone: false, caveat: 'service_not_enabled', capabilities: { missing: ['API Access of this domain'] } }
  const isRefused = ['INVALID_DOMAIN', 'DOMAIN_NOT_ALLOWED', 'DOMAIN_NOT_FOUND'].includes(code)
  return isRefused || message === 'Invalid domain.' ? { hasZone: false } : undefined
}
