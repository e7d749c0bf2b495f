import { listOf, objectAt, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import {
  type AbilityRead,
  bearer,
  bearerFor,
  type FoundAbilities,
  invalid,
  type ProviderAnswer,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'

export default provider({
  id: 'dnsimple',
  title: 'DNSimple',
  docs: 'https://developer.dnsimple.com/v2/identity/',
  keyPage: 'https://dnsimple.com/user',
  smallerKeyPage: 'https://support.dnsimple.com/articles/api-access-token/',
  baseUrl: 'https://api.dnsimple.com',
  keyTypes: { api_token: { label: 'API access token' } },
  certainty: 'documented',
  remarks:
    'An account token can be limited to some zones, or to reading. A user token reaches every account of its user. Tokens of the sandbox are ' +
    'not known to the production API, which is called here. The limit of 2,400 calls an hour (https://developer.dnsimple.com/v2/#rate-limiting) ' +
    'counts per account, so a 429 holds back that token only.',
  firstRead: { grows: 'never' },
  abilities: { isAlwaysRead: true, list: inAccounts(zonesOf), zone: inAccounts(recordOf) },
  // In the words of the page that makes tokens (https://support.dnsimple.com/articles/api-access-token/).
  permissions: {
    'zones:list': 'Zones: Read only',
    'dns:read': 'Zones: Read only',
    'dns:edit': 'Zones: Full access',
  },
  request: bearer('/v2/whoami'),
  classify(answer) {
    const { status, headers, body } = answer
    const message = textAt(body, 'message')
    if (status === 200 && objectAt(body, 'data.account')) return valid()
    if (status === 200 && objectAt(body, 'data.user'))
      return { ...valid(undefined, { label: 'user access token' }), excess: 'all_accounts' }
    // A token of the sandbox looks the same (https://developer.dnsimple.com/sandbox/).
    if (status === 401 && message === 'Authentication failed')
      return invalid('not_recognised', { or: 'it belongs to the sandbox' })
    if (status === 403 && message.startsWith('Permission Denied')) return valid('limited_permissions')
    if (isUnpaid(answer)) return valid('account_restricted')
    // The limit of 30 is for calls of this address without a valid token. 404, 412 and 428 are about other calls.
    if (status === 429 && message === 'quota exceeded' && Number(headers['x-ratelimit-limit']) > 30)
      return undetermined('key_rate_limited')
    return undetermined('unexpected_answer')
  },
})

type AccountRead = (account: number, others: readonly number[]) => AbilityRead

/** Reads in the account of the token. A user token has none, so its accounts are listed first. */
function inAccounts(readOf: AccountRead): AbilityRead {
  const readFor = ({ body }: ProviderAnswer) => {
    const account = valueAt(body, 'data.account.id')
    return isId(account) ? readOf(account, []) : accountsRead(readOf)
  }
  return {
    request: (credential, moment, context) => readFor(context.decided).request(credential, moment, context),
    find: (answer, context) => readFor(context.decided).find(answer, context),
  }
}

function accountsRead(readOf: AccountRead): AbilityRead {
  return {
    request: bearer('/v2/accounts'),
    find({ status, body }) {
      const accounts = status === 200 ? listOf(body, 'data', 'plan_identifier') : undefined
      const [account, ...others] = (accounts ?? []).map((one) => valueAt(one, 'id')).filter(isId)
      return account === undefined ? undefined : { next: readOf(account, others) }
    },
  }
}

function zonesOf(account: number, others: readonly number[]): AbilityRead {
  return {
    request: bearer(`/v2/${account}/zones?per_page=50`),
    find(answer) {
      const { status, body } = answer
      const zones = status === 200 ? listOf(body, 'data', 'name') : undefined
      const total = valueAt(body, 'pagination.total_entries')
      if (!zones || typeof total !== 'number') return refusalOf(answer, 'zones:list', 'dns:read')
      const names = zones.map((zone) => valueAt(zone, 'name'))
      return { capabilities: zonesIn(names, others.length === 0 ? { total } : { hasMore: true }) }
    },
  }
}

/** One record of the zone. It is missing only if it is in none of the accounts. */
function recordOf(account: number, [next, ...others]: readonly number[]): AbilityRead {
  return {
    request: bearerFor((zone) => `/v2/${account}/zones/${zone}/records?per_page=1`),
    find(answer, { zone }) {
      const { status, body } = answer
      const records = status === 200 ? listOf(body, 'data', 'zone_id') : undefined
      if (records?.length && records.every((record) => textAt(record, 'zone_id') === zone))
        return { hasZone: true, capabilities: { abilities: ['dns:read'] } }
      // Also for a zone that the token may not see.
      const isMissing = status === 404 && textAt(body, 'message') === `Zone \`${zone}\` not found`
      if (!isMissing) return refusalOf(answer, 'dns:read')
      return next === undefined ? { hasZone: false } : { next: recordOf(next, others) }
    },
  }
}

function refusalOf(
  answer: ProviderAnswer,
  ...lacks: readonly ('zones:list' | 'dns:read')[]
): FoundAbilities | undefined {
  if (isUnpaid(answer)) return { caveat: 'account_restricted' }
  const isRefused =
    answer.status === 403 && textAt(answer.body, 'message').startsWith('Permission Denied. Required Scope: zones:')
  return isRefused ? { capabilities: { lacks } } : undefined
}

function isUnpaid({ status, body }: ProviderAnswer): boolean {
  return status === 402 && textAt(body, 'message').startsWith('This action cannot be completed because you have')
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
