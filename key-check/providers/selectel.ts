import { domainToUnicode } from 'node:url'
import { type Capabilities, listOf, objectAt, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import {
  type AbilityRead,
  type FoundAbilities,
  type Probe,
  type ProviderAnswer,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'

/** Version 2 takes tokens of service users, version 1 takes keys. Neither sees the zones of the other. */
export default provider({
  id: 'selectel',
  title: 'Selectel',
  docs: 'https://docs.selectel.ru/api/authorization/',
  keyPage: 'https://my.selectel.ru/profile/apikeys',
  baseUrl: 'https://api.selectel.ru/domains',
  origins: { identity: 'https://cloud.api.selcloud.ru/identity/v3' },
  keyTypes: {
    api_token: {
      label: 'service user',
      keyLabel: 'password of the service user',
      isChosen: true,
      parts: {
        username: { label: 'user name', isChosen: true },
        accountId: { label: 'account ID' },
        projectId: { label: 'project ID' },
      },
    },
    api_key: { label: 'API key of the old DNS' },
  },
  certainty: 'client code',
  remarks:
    'The password of a service user is exchanged for a token, which is discarded and expires within a day. API keys are for the old DNS hosting, ' +
    'which has its own zones. No source shows how a wrong key or password differs from other rejections, and an account may limit the ' +
    'addresses that call its API, so a rejection proves nothing.',
  firstProbe: ({ keyType }) => (keyType === 'api_token' ? exchange() : listOldDomains()),
  firstRead: { grows: 'never' },
  abilities: {
    // A token says nothing about DNS.
    isAlwaysRead: true,
    list: {
      request: ({ apiKey, keyType }, _, { decided }) =>
        keyType === 'api_token'
          ? withToken(decided, '/v2/zones?limit=20&offset=0')
          : { path: '/v1/?limit=20&offset=0', headers: { 'x-token': apiKey } },
      find(answer) {
        const zones = answer.keyType === 'api_token' ? zonesOf(answer) : oldDomainsIn(answer, 20)
        return zones && { capabilities: zones, ...(zones.zonesVisible === 0 && { caveat: 'no_zones' }) }
      },
    },
    zone: {
      request: ({ apiKey, keyType }, _, { zone, decided }) =>
        keyType === 'api_token'
          ? withToken(decided, `/v2/zones?limit=20&offset=0&filter=${encodeURIComponent(domainToUnicode(zone))}`)
          : { path: `/v1/${zone}`, headers: { 'x-token': apiKey } },
      find: (answer, { zone, decided }) =>
        answer.keyType === 'api_token' ? zoneFiltered(answer, zone, decided) : oldDomain(answer, zone),
    },
  },
})

/** The call of OpenStack: https://docs.openstack.org/api-ref/identity/v3/. It has the password in the body. */
function exchange(): Probe {
  return {
    successStatus: 201,
    request: ({ apiKey: password, parts: { username: name = '', accountId = '', projectId: id = '' } }) => {
      const user = { name, domain: { name: accountId }, password }
      const auth = { identity: { methods: ['password'], password: { user } }, scope: { project: { id } } }
      return { origin: 'identity', path: '/auth/tokens', headers: {}, body: JSON.stringify({ auth }) }
    },
    classify(answer) {
      const isToken = answer.status === 201 && objectAt(answer.body, 'token') && tokenIn(answer)
      return isToken ? valid() : undetermined('unexpected_answer')
    },
  }
}

const listsZones: Capabilities = { abilities: ['zones:list'] }

function tokenIn({ headers }: ProviderAnswer): string {
  return headers['x-subject-token'] ?? ''
}

function withToken(decided: ProviderAnswer, path: string) {
  return { path, headers: { 'x-auth-token': tokenIn(decided) } }
}

function zonesIn200({ status, body }: ProviderAnswer) {
  const zones = status === 200 ? listOf(body, 'result', 'id') : undefined
  const next = valueAt(body, 'next_offset')
  return zones && typeof next === 'number' ? { zones, hasMore: next > 0 } : undefined
}

function zonesOf(answer: ProviderAnswer): Capabilities | undefined {
  const page = zonesIn200(answer)
  const names = page?.zones.map((zone) => textAt(zone, 'name'))
  return page && names && zonesIn(names, page)
}

/** The filter finds every zone whose name contains the text. Names are in Unicode and end with a dot. */
function zoneFiltered(answer: ProviderAnswer, zone: string, decided: ProviderAnswer): FoundAbilities | undefined {
  const page = zonesIn200(answer)
  if (!page) return undefined
  const capabilities = listsZones
  const found = page.zones.find((entry) => textAt(entry, 'name') === `${domainToUnicode(zone)}.`)
  const id = /^[0-9a-f-]{32,36}$/.exec(textAt(found, 'id'))?.[0]
  if (found) return { capabilities, hasZone: true, ...(id && { next: recordsOf(id, decided) }) }
  return { capabilities, ...(!page.hasMore && { hasZone: false }) }
}

function recordsOf(id: string, decided: ProviderAnswer): AbilityRead {
  return {
    request: () => withToken(decided, `/v2/zones/${id}/rrset?limit=1&offset=0`),
    find: ({ status, body }) =>
      status === 200 && listOf(body, 'result', 'type') ? { capabilities: { abilities: ['dns:read'] } } : undefined,
  }
}

function listOldDomains(): Probe {
  return {
    request: ({ apiKey }) => ({ path: '/v1/?limit=1&offset=0', headers: { 'x-token': apiKey } }),
    classify(answer) {
      // The names come from the longer list that every check reads.
      return oldDomainsIn(answer, 1) ? valid(undefined, {}, listsZones) : undetermined('unexpected_answer')
    },
  }
}

function oldDomainsIn({ status, headers, body }: ProviderAnswer, limit: number): Capabilities | undefined {
  const domains = status === 200 ? listOf(body, '', 'name') : undefined
  if (!domains?.every((domain) => typeof valueAt(domain, 'id') === 'number')) return undefined
  const total = Number(headers['x-total-count'] ?? Number.NaN)
  const names = domains.map((domain) => textAt(domain, 'name'))
  return zonesIn(names, Number.isNaN(total) ? { hasMore: domains.length >= limit } : { total })
}

function oldDomain({ status, body }: ProviderAnswer, zone: string): FoundAbilities | undefined {
  if (status === 200 && textAt(body, 'name') === zone && typeof valueAt(body, 'id') === 'number')
    return { hasZone: true }
  return status === 404 && valueAt(body, 'code') === 404 && textAt(body, 'error') ? { hasZone: false } : undefined
}
