import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

import type { Ability, Capabilities } from '../api.ts'
import { abilityNames } from '../api.ts'

/** Readers of answers: values in a body, and what they show about a credential's permissions. */

export type { Ability, Capabilities }

/** The value of parsed JSON or XML at a dotted path (`error.code`, `errors.0.reason`); '' is the whole body. Own members only. */
export function valueAt(body: unknown, path: string): unknown {
  let value = body
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** The text at a path; '' if it is missing or not a string. */
export function textAt(body: unknown, path: string): string {
  const value = valueAt(body, path)
  return typeof value === 'string' ? value : ''
}

/** The list at a path; undefined if there is none. */
export function listAt(body: unknown, path = ''): readonly unknown[] | undefined {
  const value = valueAt(body, path)
  return Array.isArray(value) ? value : undefined
}

/**
 * The list at a path if every entry is an object with this member; otherwise undefined. An empty list counts: an account may have no zones.
 */
export function listOf(body: unknown, path: string, member: string): readonly unknown[] | undefined {
  const list = listAt(body, path)
  return list?.every((entry) => valueAt(entry, member) !== undefined) ? list : undefined
}

/** The object at a path; undefined if there is none or it is a list. */
export function objectAt(body: unknown, path = ''): object | undefined {
  const value = valueAt(body, path)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** The access token of an exchange; '' if there is none that can be sent. */
export function accessTokenIn(body: unknown): string {
  const token = textAt(body, 'access_token')
  return /^[!-~]{1,16384}$/.test(token) ? token : ''
}

/** The instant as milliseconds since 1970; NaN for anything else. */
export function instantMs(value: unknown): number {
  // RFC 3339 with an offset. Without an offset, JavaScript would assume the time zone of this machine.
  const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
  return typeof value === 'string' && instant.test(value) ? Date.parse(value) : Number.NaN
}

/** The provider's scope names, each with the abilities it allows; an empty list if it allows none of them. */
export type ScopeTable = Readonly<Record<string, readonly Ability[]>>

/** The provider's name of the permission that grants an ability. */
export type PermissionNames = Readonly<Partial<Record<Ability, string>>>

/** Maximum number of scopes, zones, services or addresses to keep. Only words of a known form, because a provider could echo a key. */
const namesMax = 50

/**
 * The scopes in an answer, and the abilities that they allow. An ability of the table is lacking only if every scope is known and none
 * allows it; an unknown scope might.
 */
export function scopesIn(words: readonly unknown[], table: ScopeTable): Capabilities {
  const named = words.filter((word) => word !== '')
  const scopes = keep(named, isScope)
  if (scopes.length === 0) return {}
  const known = named.flatMap((word) => (typeof word === 'string' && Object.hasOwn(table, word) ? [word] : []))
  const allowed = new Set(known.flatMap((word) => table[word] ?? []))
  const decided = new Set(known.length === named.length ? Object.values(table).flat() : [])
  const abilities = abilityNames.filter((ability) => allowed.has(ability))
  const lacks = abilityNames.filter((ability) => decided.has(ability) && !allowed.has(ability))
  return { scopes, ...(abilities.length > 0 && { abilities }), ...(lacks.length > 0 && { lacks }) }
}

/** Whether a pattern, which has `*` for any text, matches. Without a regular expression, because a pattern could make it slow. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === text
  const end = rest.at(-1) ?? ''
  let from = start.length
  for (const part of rest.slice(0, -1)) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return text.startsWith(start) && text.endsWith(end) && text.length - end.length >= from
}

/** For providers that also limit a credential to its owner's permissions, which the answer does not show. */
export function limitedByOwner(found: Capabilities): Capabilities {
  return found.abilities ? { ...found, limitedByOwner: true } : found
}

/** The total number of zones as the answer states it, or whether the list continues. */
type ListEnd = { readonly total: unknown } | { readonly hasMore: boolean }

/**
 * The zones of a list, by name. A list that was not read to its end never proves that a zone is missing. `abilities`: what else the list
 * proves, such as `dns:read`.
 */
export function zonesIn(names: readonly unknown[], end: ListEnd, ...abilities: readonly Ability[]): Capabilities {
  const zones = keep(names.map(zoneName), isText)
  const total = 'total' in end ? end.total : end.hasMore ? undefined : names.length
  const isCount = typeof total === 'number' && Number.isSafeInteger(total) && total >= names.length
  return {
    abilities: ['zones:list', ...abilities],
    ...(isCount && { zonesVisible: total }),
    ...(zones.length > 0 && { zones }),
    ...(total !== zones.length && { moreZones: true as const }),
  }
}

/** The same of the list of all zones. Without any, the key is genuine and of no use for DNS. */
export function allZones(...list: Parameters<typeof zonesIn>): { capabilities: Capabilities; caveat?: 'no_zones' } {
  const capabilities = zonesIn(...list)
  return { capabilities, ...(capabilities.zonesVisible === 0 && { caveat: 'no_zones' }) }
}

/** What the beginning of a list shows: the zones in it, and that there are more. */
export function ofBeginning({ zonesVisible: _, ...capabilities }: Capabilities): Capabilities {
  return capabilities.abilities?.includes('zones:list') ? { ...capabilities, moreZones: true } : capabilities
}

/** Joins what two answers of one check show. About the same ability, the second one is right. */
export function joinCapabilities(first: Capabilities, second: Capabilities): Capabilities {
  const { abilities: may = [], lacks: mayNot = [], ...one } = first
  const { abilities = [], lacks = [], ...other } = second
  const can = abilityNames.filter((name) => abilities.includes(name) || (may.includes(name) && !lacks.includes(name)))
  const cannot = abilityNames.filter(
    (name) => lacks.includes(name) || (mayNot.includes(name) && !abilities.includes(name)),
  )
  return { ...one, ...other, ...(can.length > 0 && { abilities: can }), ...(cannot.length > 0 && { lacks: cannot }) }
}

/** The ids of the services that a credential is limited to. An empty list means no limit. */
export function servicesIn(ids: readonly unknown[]): Capabilities {
  const services = keep(ids, (id): id is string => isText(id) && /^[A-Za-z0-9]{8,24}$/.test(id))
  return services.length === 0 ? {} : { services }
}

/** The addresses and networks that may use the credential. An empty list means no limit. */
export function addressesIn(list: readonly unknown[]): Capabilities {
  const addresses = keep(list, isNetwork)
  return addresses.length === 0 ? {} : { addresses }
}

/** `domains:read_only`, `*`, or a method and a path of plain segments. */
function isScope(word: unknown): word is string {
  if (!isText(word) || word.length > 60) return false
  const isWord = word.length <= 40 && /^(?:\*|[a-z]+(?:_[a-z]+)*(?::[a-z]+(?:_[a-z]+)*)?)$/.test(word)
  return isWord || /^(?:GET|POST|PUT|DELETE) \/[A-Za-z/*]*$/.test(word)
}

/**
 * The name in ASCII and lower case. Undefined unless it is a host name of two labels or more without capitals, so that no key passes for a
 * zone.
 */
function zoneName(name: unknown): string | undefined {
  if (!isText(name) || /\p{Lu}/u.test(name)) return undefined
  const ascii = domainToASCII(name.replace(/\.$/, ''))
  return ascii.length <= 253 && /^(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(ascii) ? ascii : undefined
}

function isNetwork(value: unknown): value is string {
  const [, address = '', bits] = /^([0-9a-fA-F.:]{2,45})(?:\/(\d{1,3}))?$/.exec(isText(value) ? value : '') ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function keep(values: readonly unknown[], isOf: (value: unknown) => value is string): string[] {
  return [...new Set(values.filter(isOf))].slice(0, namesMax)
}
