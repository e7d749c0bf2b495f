import { listAt, listOf, type ScopeTable, scopesIn, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import {
  type Classification,
  invalid,
  nextProbe,
  type OpenCredential,
  type Probe,
  type ProviderAnswer,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'

/** kud/gandi-cli src/commands/doctor.tsx @02dc55f. No source says what `domain:view` shows of LiveDNS. */
const scopes: ScopeTable = {
  'domain:tech': ['dns:read', 'dns:edit'],
  'domain:renew': [],
}

/** Needs no scope, so any limited token can read it. */
const readToken: Probe = {
  request: ({ apiKey }) => ({ path: '/tokeninfo', headers: { authorization: `Bearer ${apiKey}` }, origin: 'id' }),
  classify(answer) {
    const { status, body, nowMs } = answer
    const seconds = valueAt(body, 'expires_in')
    const words = listAt(body, 'scope')
    if (status === 200 && words && typeof seconds === 'number' && seconds > 0) {
      const expiresOn = new Date(nowMs - (nowMs % 1_000) + Math.floor(seconds) * 1_000).toISOString()
      return valid(undefined, { expiresOn }, scopesIn(words, scopes))
    }
    // No source shows the body of a rejection here, but the API's is known.
    return status === 401 || status === 403 ? nextProbe(listDomains('Bearer')) : undetermined('unexpected_answer')
  },
}

function listDomains(scheme: 'Bearer' | 'Apikey'): Probe {
  return {
    request: ({ apiKey }: OpenCredential) => ({
      path: '/v5/livedns/domains?per_page=1',
      headers: { authorization: `${scheme} ${apiKey}` },
    }),
    classify: classifyDomains,
  }
}

function classifyDomains({ status, body }: ProviderAnswer): Classification {
  const domains = listOf(body, '', 'fqdn')
  if (status === 200 && domains) {
    const names = domains.map((domain) => textAt(domain, 'fqdn'))
    return valid(undefined, {}, zonesIn(names, { hasMore: names.length > 0 }))
  }
  // Gandi saw no key, for example because it ignores the scheme, so this says nothing about the key (go-acme/lego#2768).
  if (textAt(body, 'message').startsWith('You must provide an access token')) return undetermined('unexpected_answer')
  if (status === 401 && textAt(body, 'object') === 'HTTPUnauthorized') return invalid('not_recognised')
  return undetermined('unexpected_answer')
}

export default provider({
  id: 'gandi',
  title: 'Gandi',
  docs: 'https://api.gandi.net/docs/livedns/',
  keyPage: 'https://admin.gandi.net/organizations/account/pat',
  baseUrl: 'https://api.gandi.net',
  origins: { id: 'https://id.gandi.net' },
  keyTypes: {
    api_token: { label: 'personal access token' },
    api_key: {
      label: 'API key',
      advice: 'Gandi has deprecated API keys. A personal access token can be limited and expires.',
    },
  },
  certainty: 'client code',
  remarks:
    'A personal access token can read its own scopes and expiry. If Gandi rejects that read, the API decides. A 403 of the API may come ' +
    'from a limited token or, in older parts of the API, from a wrong key, so it proves nothing.',
  firstRead: { grows: 'never' },
  abilities: {
    zone: {
      request: ({ apiKey, keyType }, _, { zone }) => ({
        path: `/v5/livedns/domains/${zone}`,
        headers: { authorization: `${keyType === 'api_token' ? 'Bearer' : 'Apikey'} ${apiKey}` },
      }),
      find({ status, body }, { zone }) {
        if (status === 200 && textAt(body, 'fqdn') === zone) return { hasZone: true }
        return status === 404 && textAt(body, 'object') === 'HTTPNotFound' ? { hasZone: false } : undefined
      },
    },
  },
  permissions: { 'dns:read': 'domain:tech', 'dns:edit': 'domain:tech' },
  firstProbe: ({ keyType }) => (keyType === 'api_token' ? readToken : listDomains('Apikey')),
})
