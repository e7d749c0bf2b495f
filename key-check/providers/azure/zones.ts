import {
  type Ability,
  accessTokenIn,
  listAt,
  listOf,
  matchesPattern,
  textAt,
  valueAt,
  zonesIn,
} from '../../engine/answers.ts'
import type { AbilityRead } from '../../engine/provider.ts'

/** Reads of Azure Resource Manager. A role may be on a subscription, a group, a zone or a record set, so a refusal is never a "no". */

function armRead(callOf: (zone: string) => { path: string; body?: string }, find: AbilityRead['find']): AbilityRead {
  return {
    request: ({ parts: { cloud = 'public' } }, _, { zone, decided }) => ({
      origin: `${cloud}-arm`,
      headers: { authorization: `Bearer ${accessTokenIn(decided.body)}` },
      ...callOf(zone),
    }),
    find,
  }
}

/** The subscriptions in which the key has a role. Without any, it sees nothing. */
export function subscriptionsRead(): AbilityRead {
  return armRead(
    () => ({ path: '/subscriptions?api-version=2022-12-01' }),
    ({ status, body }, { zone }) => {
      const subscriptions = status === 200 ? listOf(body, 'value', 'subscriptionId') : undefined
      if (subscriptions?.length === 0) return { caveat: 'no_zones' }
      // Behind a search for the zone there is nothing more to find out.
      return subscriptions && (zone === '' ? { next: zonesSearch() } : {})
    },
  )
}

/**
 * Azure Resource Graph searches every zone that the key may read. New roles take up to hours to arrive there (MicrosoftDocs/azure-docs#28370),
 * so a zone that it does not find may still be there.
 */
export function zonesSearch(): AbilityRead {
  return armRead(
    (zone) => {
      // A zone is a host name, so it cannot end the quotes.
      const named = zone && `| where name =~ "${zone}" `
      const query = `resources | where type =~ "microsoft.network/dnszones" ${named}| project id, name | limit 20`
      const path = '/providers/Microsoft.ResourceGraph/resources?api-version=2021-03-01'
      return { path, body: JSON.stringify({ query }) }
    },
    ({ status, body }, { zone }) => {
      const rows = status === 200 ? listOf(body, 'data', 'name') : undefined
      if (!rows || !/^(?:true|false)$/.test(textAt(body, 'resultTruncated')))
        return isWithoutSubscription(status, body) && zone ? { next: subscriptionsRead() } : undefined
      const names = rows.map((row) => textAt(row, 'name').toLowerCase())
      if (!zone) return names.length > 0 ? { capabilities: zonesIn(names, { hasMore: names.length > 19 }) } : {}
      if (!names.includes(zone)) return { next: subscriptionsRead() }
      // Zones of the same name in other groups may have other roles.
      const id = rows.length === 1 && zoneId.exec(textAt(rows, '0.id'))?.[0]
      return { hasZone: true, ...(id && { next: permissionsRead(id) }) }
    },
  )
}

function isWithoutSubscription(status: number, body: unknown): boolean {
  return status === 400 && textAt(body, 'error.details.0.code') === 'NoValidSubscriptionsInQueryRequest'
}

/** It becomes part of a path. */
const zoneId =
  /^\/subscriptions\/[0-9a-f-]{36}\/resourceGroups\/[\w.()-]{1,90}\/providers\/Microsoft\.Network\/dnszones\/[\w.-]{1,253}$/i

/** What the roles on a zone allow. A role on a single record set is not among them. */
function permissionsRead(id: string): AbilityRead {
  return armRead(
    () => ({ path: `${id}/providers/Microsoft.Authorization/permissions?api-version=2022-04-01` }),
    ({ status, body }) => {
      const roles = status === 200 ? listOf(body, 'value', 'actions') : undefined
      if (!roles) return undefined
      const abilities = (['dns:read', 'dns:edit'] as const).filter((ability) =>
        actionsFor[ability].every((action) => roles.some((role) => allows(role, action))),
      )
      return abilities.length > 0 ? { capabilities: { abilities } } : {}
    },
  )
}

const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'TXT']
const actionsFor = {
  'dns:read': recordTypes.map((type) => `Microsoft.Network/dnsZones/${type}/read`),
  'dns:edit': recordTypes.map((type) => `Microsoft.Network/dnsZones/${type}/write`),
} satisfies Partial<Record<Ability, readonly string[]>>

/** Whether a role without a condition allows the action. */
function allows(role: unknown, action: string): boolean {
  const isIn = (member: string) => (listAt(role, member) ?? []).some((pattern) => matches(pattern, action))
  return !valueAt(role, 'condition') && isIn('actions') && !isIn('notActions')
}

/** Whether a pattern matches an action, in any case. */
export function matches(pattern: unknown, action: string): boolean {
  if (typeof pattern !== 'string' || pattern.length > 200) return false
  return matchesPattern(pattern.toLowerCase(), action.toLowerCase())
}
