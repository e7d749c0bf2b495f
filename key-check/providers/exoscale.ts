import { domainToUnicode } from 'node:url'
import { listOf, textAt, zonesIn } from '../engine/answers.ts'
import {
  type FoundAbilities,
  type Moment,
  type OpenCredential,
  type ProviderAnswer,
  type ProviderRequest,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'
import { exo2 } from '../engine/signatures.ts'

const listPath = '/v2/dns-domain'

export default provider({
  id: 'exoscale',
  title: 'Exoscale',
  docs: 'https://openapi-v2.exoscale.com/operation/operation-list-dns-domains',
  keyPage: 'https://portal.exoscale.com/iam/keys',
  baseUrl: 'https://api-ch-gva-2.exoscale.com',
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'API secret',
      parts: {
        apiKeyId: {
          label: 'API key',
          pattern: '^EXO',
          example: 'EXOexample',
          publishedForm: { pattern: '^EXO[0-9A-Za-z]{24}$', source: 'exoscale/egoscale v3 test fixtures @d767924' },
        },
      },
    },
  },
  certainty: 'client code',
  remarks:
    'A role may allow DNS only, so the check lists the DNS domains, which the webhook of Exoscale for cert-manager asks to allow. A role that ' +
    'refuses the call is named in the answer. Any other 403 can mean a wrong key or a wrong clock, and no text distinguishes them, so it proves nothing.',
  firstRead: { needs: 'list-dns-domains', grows: 'with all zones' },
  abilities: {
    zone: {
      request: (credential, moment, { zone, decided }) => {
        const id = idIn(decided, zone)
        // Without an id there is nothing to look up. The whole list shows that the zone is missing.
        return signed(credential, moment, id === '' ? listPath : `${listPath}/${id}/record`)
      },
      find: (answer, { zone, decided }) =>
        idIn(decided, zone) === '' ? zoneInList(answer, zone) : recordsOfZone(answer),
    },
  },
  permissions: {
    'zones:list': 'list-dns-domains',
    'dns:read': 'list-dns-domain-records',
    'dns:edit': 'create-dns-domain-record',
  },
  request: (credential, moment) => signed(credential, moment, listPath),
  classify(answer) {
    const domains = domainsIn(answer)
    // The list has no pages.
    if (domains) return valid(undefined, {}, zonesIn(domains.map(nameOf), { hasMore: false }))
    if (isForbiddenByRole(answer)) return valid('limited_permissions', {}, { lacks: ['zones:list'] })
    return undetermined('unexpected_answer')
  },
})

function signed(
  { apiKey, parts: { apiKeyId = '' } }: OpenCredential,
  { nowMs }: Moment,
  path: string,
): ProviderRequest {
  return { path, headers: exo2(apiKeyId, apiKey, path, nowMs + 600_000) }
}

function domainsIn({ status, body }: ProviderAnswer): readonly unknown[] | undefined {
  return status === 200 ? listOf(body, 'dns-domains', 'unicode-name') : undefined
}

function nameOf(domain: unknown): string {
  return textAt(domain, 'unicode-name')
}

/** The id of the zone in the first answer, or ''. */
function idIn(decided: ProviderAnswer, zone: string): string {
  const id = textAt(domainNamed(domainsIn(decided) ?? [], zone), 'id')
  return /^[0-9a-f-]{36}$/.test(id) ? id : ''
}

function domainNamed(domains: readonly unknown[], zone: string): unknown {
  return domains.find((domain) => nameOf(domain) === domainToUnicode(zone))
}

function zoneInList(answer: ProviderAnswer, zone: string): FoundAbilities | undefined {
  const domains = domainsIn(answer)
  return domains && { hasZone: domainNamed(domains, zone) !== undefined }
}

function recordsOfZone(answer: ProviderAnswer): FoundAbilities | undefined {
  if (isForbiddenByRole(answer)) return { hasZone: true, capabilities: { lacks: ['dns:read'] } }
  const isList = answer.status === 200 && listOf(answer.body, 'dns-domain-records', 'type')
  return isList ? { hasZone: true, capabilities: { abilities: ['dns:read'] } } : undefined
}

/** The answer to a genuine key whose role does not allow the call: exoscale/cli#716. Sent as JSON or as plain text. */
function isForbiddenByRole({ status, body, text }: ProviderAnswer): boolean {
  const message = body === undefined ? text : textAt(body, 'message')
  return status === 403 && message.startsWith('Forbidden by role policy for ')
}
