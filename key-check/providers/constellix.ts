import { listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import { nextProbe, type OpenCredential, type Probe, provider, undetermined, valid } from '../engine/provider.ts'
import { constellixToken } from '../engine/signatures.ts'

const listDomains: Probe = {
  request: (credential, { nowMs }) => ({
    path: '/v4/domains?page=1&perPage=1',
    headers: bearerOf(credential, nowMs),
  }),
  classify({ status, body }) {
    const names = namesIn(body)
    const total = valueAt(body, 'meta.pagination.total')
    if (status === 200 && names && typeof total === 'number') return valid(undefined, {}, zonesIn(names, { total }))
    // No source says that version 4 accepts every pair that version 1 accepts.
    return status === 401 || status === 403 ? nextProbe(listDomainsOfVersion1) : undetermined('unexpected_answer')
  },
}

const listDomainsOfVersion1: Probe = {
  request: (credential, { nowMs }) => ({
    path: '/v1/domains?max=1&offset=0',
    headers: { 'x-cns-security-token': tokenOf(credential, nowMs) },
  }),
  classify({ status, body }) {
    const domains = listOf(body, '', 'name')
    const isList = domains?.every((domain) => typeof valueAt(domain, 'id') === 'number')
    return status === 200 && isList ? valid() : undetermined('unexpected_answer')
  },
}

export default provider({
  id: 'constellix',
  title: 'Constellix',
  docs: 'https://api.dns.constellix.com/v4/docs',
  keyPage: 'https://manage.constellix.com/user/apikeys',
  baseUrl: 'https://api.dns.constellix.com',
  keyTypes: { api_key: { label: 'API key', keyLabel: 'secret key', parts: { apiKeyId: { label: 'API key' } } } },
  certainty: 'client code',
  remarks:
    'Version 4 of the API is asked first, then version 1, which takes the same pair of keys. The rejections that clients expect come from test ' +
    'doubles, and a client saw genuine keys rejected (aperim/constellix-hostip), so a rejection proves nothing.',
  callsPerSecondMax: 1,
  firstRead: { needs: 'Read (of Domains)', grows: 'never' },
  abilities: {
    zone: {
      request: (credential, { nowMs }, { zone }) => ({
        path: `/v4/search/domains?name=${zone}&page=1&perPage=20`,
        headers: bearerOf(credential, nowMs),
      }),
      find({ status, body }, { zone }) {
        const names = namesIn(body)
        if (status !== 200 || !names) return undefined
        if (names.includes(zone)) return { hasZone: true }
        return valueAt(body, 'meta.pagination.total') === 0 ? { hasZone: false } : {}
      },
    },
  },
  firstProbe: () => listDomains,
})

/** For version 4. */
function bearerOf(credential: OpenCredential, nowMs: number): Record<string, string> {
  return { authorization: `Bearer ${tokenOf(credential, nowMs)}` }
}

function tokenOf({ apiKey, parts: { apiKeyId = '' } }: OpenCredential, nowMs: number): string {
  return constellixToken(apiKeyId, apiKey, nowMs)
}

/** The names of domains in an answer of version 4. */
function namesIn(body: unknown): string[] | undefined {
  const isNumbered = typeof valueAt(body, 'meta.pagination.currentPage') === 'number'
  return isNumbered ? listOf(body, 'data', 'name')?.map((domain) => textAt(domain, 'name')) : undefined
}
