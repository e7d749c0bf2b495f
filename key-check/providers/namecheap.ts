import { textAt, valueAt, zonesIn } from '../engine/answers.ts'
import {
  type FoundAbilities,
  invalid,
  type OpenCredential,
  type Outcome,
  type ProviderRequest,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'

export default provider({
  id: 'namecheap',
  title: 'Namecheap',
  docs: 'https://www.namecheap.com/support/api/methods/domains/get-list/',
  keyPage: 'https://ap.www.namecheap.com/settings/tools/apiaccess/',
  baseUrl: 'https://api.namecheap.com',
  keyTypes: {
    api_key: {
      label: 'API key',
      parts: {
        username: { label: 'user name', isChosen: true },
        clientIp: {
          label: "address of this service on the account's allowlist",
          pattern: '^\\d{1,3}(\\.\\d{1,3}){3}$',
          example: '203.0.113.7',
          isOutgoingAddress: true,
        },
      },
    },
  },
  certainty: 'logged',
  remarks:
    "The address of this service must be on the account's allowlist; otherwise Namecheap does not check the key. A wrong key and an " +
    'account that has not switched API access on get the same answer. A key can do everything its account can. Keys of the sandbox are ' +
    'not known to the production API, which is called here.',
  // Documented: 50 calls a minute, 700 an hour. Any lower, the lookup of a zone right after the first call would be held back.
  callsPerSecondMax: 0.82,
  firstRead: { grows: 'never' },
  abilities: {
    zone: {
      answersXml: true,
      request: (credential, _, { zone }) => call(credential, { Command: getInfo, DomainName: zone }),
      find: ({ status, body }, { zone }) => (status === 200 ? domainIn(body, zone) : undefined),
    },
  },
  answersXml: true,
  // No page is smaller.
  request: (credential) => call(credential, { Command: getList, PageSize: '10' }),
  classify({ status, body }) {
    if (status !== 200) return undetermined('unexpected_answer')
    if (!isResult(body, getList)) return outcomeOf(errorIn(body))
    const names = elementsAt(body, `${response}.DomainGetListResult.Domain`).map((domain) => textAt(domain, '@Name'))
    // The list leaves out the domains that other accounts share.
    return valid(undefined, {}, zonesIn(names, { hasMore: true }))
  },
})

const getList = 'namecheap.domains.getList'
const getInfo = 'namecheap.domains.getInfo'
const response = 'ApiResponse.CommandResponse'

/** Sent as a form, because proxies log queries. */
function call(
  { apiKey, parts: { username = '', clientIp = '' } }: OpenCredential,
  command: Readonly<Record<string, string>>,
): ProviderRequest {
  const key = { ApiUser: username, ApiKey: apiKey, UserName: username, ClientIp: clientIp }
  return { path: '/xml.response', headers: { accept: 'application/xml' }, form: { ...key, ...command } }
}

function isResult(body: unknown, command: string): boolean {
  return textAt(body, 'ApiResponse.@Status') === 'OK' && textAt(body, `${response}.@Type`) === command
}

/** The number of the only error. */
function errorIn(body: unknown): string {
  return textAt(body, 'ApiResponse.@Status') === 'ERROR' ? textAt(body, 'ApiResponse.Errors.Error.@Number') : ''
}

/**
 * https://www.namecheap.com/support/api/error-codes/. Undecided: 1016103 (user not authorized, but the check sends one user), 1017410 (too
 * many declined payments) and 1017411 (too many logins, without saying from where) judge no key; missing members and failures of Namecheap.
 */
function outcomeOf(error: string): Outcome {
  switch (error) {
    case '1011102':
      return invalid('unknown_part', { part: 'value', or: 'API access is off in its account' })
    case '1019103':
      return invalid('unknown_part', { part: 'user name' })
    case '1017101':
    case '1017103':
      return invalid('suspended')
    case '1011150':
    case '1017105':
    case '1017150':
      return undetermined('address_refused')
    default:
      return undetermined('unexpected_answer')
  }
}

/** The answer also has the domains of others. Only the rights say that the account may use one. */
function domainIn(body: unknown, zone: string): FoundAbilities | undefined {
  const error = errorIn(body)
  // The domain is invalid, not associated with the account, or not found.
  if (error === '2030166' || error === '2016166' || error === '2019166') return { hasZone: false }
  const domain = `${response}.DomainGetInfoResult`
  if (!isResult(body, getInfo) || textAt(body, `${domain}.@DomainName`).toLowerCase() !== zone) return undefined
  if (textAt(body, `${domain}.DnsDetails.@IsUsingOurDNS`) === 'false')
    return { hasZone: false, capabilities: { missing: ['the DNS servers of Namecheap'] } }
  const rights = elementsAt(body, `${domain}.Modificationrights.Rights`)
  const hasAll = textAt(body, `${domain}.Modificationrights.@All`) === 'true'
  if (hasAll || rights.some((right) => textAt(right, '@Type') === 'hosts' && textAt(right, '#text') === 'OK'))
    return { hasZone: true, capabilities: { abilities: ['dns:read', 'dns:edit'] } }
  if (rights.length > 0) return { hasZone: true, capabilities: { lacks: ['dns:edit'] } }
  return textAt(body, `${domain}.@IsOwner`) === 'false' ? { hasZone: false } : undefined
}

/** One element is read as an object, several as a list. */
function elementsAt(body: unknown, path: string): readonly unknown[] {
  const found = valueAt(body, path)
  if (found === undefined) return []
  return Array.isArray(found) ? found : [found]
}
