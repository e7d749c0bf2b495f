import { randomBytes } from 'node:crypto'
import { builtInIssuer } from '../../src/identity/issuers/names.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { insertRows, type NewRow } from '../../src/platform/database/insert-rows.ts'
import type { Secret } from '../../src/platform/secret.ts'
import { type Encryption, factorContext } from '../../src/sign-in/keys/encryption.ts'
import { hashPassword } from '../../src/sign-in/passwords/passwords.ts'
import { factorNames, familyNames, givenNames, organizationNames } from './names.ts'

interface DemoSize {
  readonly users: number
  readonly organizations: number
}

interface DemoUser {
  readonly id: string
  readonly email: string
  readonly isDisabled: boolean
}

/** Rows by table, in the order of insertion, and the users who can sign in. */
export interface DemoData {
  readonly tables: readonly (readonly [table: string, rows: readonly NewRow[]])[]
  readonly users: readonly DemoUser[]
  readonly factors: readonly { readonly id: string; readonly accountId: string; readonly name: string }[]
}

/** All times are before this instant, so that the same seed makes the same rows on any day. */
const endsAtMs = Date.parse('2026-06-30T00:00:00Z')
const spanMs = 2 * 365 * 86_400_000

/** Realistic users, organizations, plans and subscriptions. The same seed and size make the same data. */
export function makeDemoData(seed: number, { users, organizations }: DemoSize): DemoData {
  const random = createRandom(seed)
  const orgs = Array.from({ length: organizations }, (_, index) => organization(random, index))
  const accounts = Array.from({ length: users }, (_, index) => account(random, index, orgs))
  const memberships = accounts.flatMap((made) => membershipsOf(random, made, orgs))
  const payers = [
    ...accounts.filter(() => random.chance(0.45)).map(({ row }) => ({ account_id: row.id, organization_id: null })),
    ...orgs.filter(() => random.chance(0.8)).map(({ row }) => ({ account_id: null, organization_id: row.id })),
  ]
  const customers = payers.map((payer) => ({ id: `cus_demo${random.hex(12)}`, ...payer }))
  const factors = accounts.filter(() => random.chance(0.3)).flatMap(({ row }) => factorsOf(random, row.id))
  return {
    tables: [
      ...planTables,
      ['organization', orgs.map(({ row }) => row)],
      ['account', accounts.map(({ row }) => row)],
      ['membership', memberships],
      ['customer', customers],
      ['subscription', customers.flatMap((customer) => subscriptionsOf(random, customer))],
    ],
    users: accounts.map(({ row }) => ({ id: row.id, email: row.email, isDisabled: row.disabled_at !== null })),
    factors,
  }
}

/** Existing plans keep their names. */
const planTables: DemoData['tables'] = [
  [
    'plan',
    [
      { id: 'pro', name: 'Pro' },
      { id: 'team', name: 'Team' },
    ],
  ],
  [
    'plan_grant',
    [
      { plan_id: 'pro', resource: 'reports', action: 'read' },
      { plan_id: 'team', resource: 'reports', action: 'read' },
      { plan_id: 'team', resource: 'reports', action: 'export' },
    ],
  ],
  [
    'plan_price',
    [
      { price_id: 'price_demo_pro_monthly', plan_id: 'pro' },
      { price_id: 'price_demo_pro_yearly', plan_id: 'pro' },
      { price_id: 'price_demo_team_monthly', plan_id: 'team' },
      { price_id: 'price_demo_team_yearly', plan_id: 'team' },
    ],
  ],
]

type Organization = ReturnType<typeof organization>
type Account = ReturnType<typeof account>

function organization(random: Random, index: number) {
  const base = organizationNames[index % organizationNames.length] ?? ''
  const round = Math.floor(index / organizationNames.length)
  const name = round === 0 ? base : `${base} ${round + 1}`
  const atMs = endsAtMs - spanMs + random.integer(spanMs / 2)
  return { domain: `${plain(name)}.example`, row: { id: random.uuid(atMs), name, created_at: iso(atMs) } }
}

function account(random: Random, index: number, orgs: readonly Organization[]) {
  const home = random.chance(0.85) ? orgs[random.integer(orgs.length)] : undefined
  const names = [random.pick(givenNames), random.pick(familyNames)]
  const atMs = endsAtMs - random.integer(spanMs / 2)
  return {
    home,
    atMs,
    row: {
      id: random.uuid(atMs),
      // The number makes the email unique.
      email: `${names.map(plain).join('.')}.${index + 1}@${home?.domain ?? 'mail.example'}`,
      display_name: names.join(' '),
      role_id: random.chance(0.04) ? 'admin' : 'user',
      first_session: random.chance(0.9) ? random.uuid(atMs) : null,
      created_at: iso(atMs),
      disabled_at: random.chance(0.04) ? iso(atMs + random.integer(endsAtMs - atMs)) : null,
    },
  }
}

function membershipsOf(random: Random, { home, atMs, row }: Account, orgs: readonly Organization[]): NewRow[] {
  if (!home) return []
  const second = random.chance(0.15) ? orgs[random.integer(orgs.length)] : undefined
  return [...new Set([home, ...(second ? [second] : [])])].map((one, index) => ({
    organization_id: one.row.id,
    account_id: row.id,
    role_id: random.weighted({ member: 8, owner: 2 }),
    joined_at: iso(atMs + index * 86_400_000),
  }))
}

/** The payment processor's statuses, about as often as they occur. */
const statuses = {
  active: 60,
  trialing: 10,
  past_due: 8,
  canceled: 12,
  unpaid: 3,
  paused: 3,
  incomplete: 2,
  incomplete_expired: 2,
} as const

function subscriptionsOf(random: Random, customer: { id: string; organization_id: string | null }): NewRow[] {
  const plan = customer.organization_id === null ? 'pro' : 'team'
  const make = (status: string, atMs: number) => ({
    id: `sub_demo${random.hex(12)}`,
    customer_id: customer.id,
    price_ids: `{price_demo_${plan}_${random.weighted({ monthly: 3, yearly: 1 })}}`,
    product_name: plan === 'pro' ? 'Pro' : 'Team',
    status,
    created_at: iso(atMs),
    seen_at: iso(atMs),
    seen_rank: 0,
  })
  const atMs = endsAtMs - random.integer(spanMs / 4)
  const latest = make(random.weighted(statuses), atMs)
  // Some customers return after they canceled their first subscription.
  return random.chance(0.2) ? [make('canceled', atMs - 90 * 86_400_000), latest] : [latest]
}

function factorsOf(random: Random, accountId: string): DemoData['factors'] {
  const names = new Set([random.pick(factorNames), ...(random.chance(0.3) ? [random.pick(factorNames)] : [])])
  return [...names].map((name) => ({ id: random.uuid(endsAtMs), accountId, name }))
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** Turns a name into a part of an email: only letters without accents, digits and hyphens. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
}

/** All demo users share one password. */
export interface DemoSignIn {
  readonly password: Secret
  readonly encryption: Encryption
}

/**
 * Inserts demo data and returns the number of new rows per table. Existing rows stay unchanged, so a second run changes nothing.
 * Without `signIn`, which needs the built-in issuer, no demo user can sign in.
 */
export async function insertDemoData(
  rows: Rows,
  data: DemoData,
  signIn: DemoSignIn | undefined,
): Promise<ReadonlyMap<string, number>> {
  const inserted = new Map<string, number>()
  const tables = [...data.tables, ...(signIn ? await signInTables(data, signIn) : [])]
  for (const [table, values] of tables) inserted.set(table, await insertRows(rows, table, values))
  return inserted
}

async function signInTables(
  { users, factors }: DemoData,
  { password, encryption }: DemoSignIn,
): Promise<DemoData['tables']> {
  // One hash for all users: each hash takes 20 ms.
  const phc = await hashPassword(password)
  return [
    ['identity', users.map(({ id }) => ({ issuer: builtInIssuer, subject: id, account_id: id }))],
    ['credential', users.map(({ id, email }) => ({ account_id: id, email, password: phc }))],
    [
      'factor',
      factors.map(({ id, accountId, name }) => ({
        id,
        account_id: accountId,
        friendly_name: name,
        secret: `\\x${encryption.encrypt(randomBytes(20), factorContext(id)).toString('hex')}`,
        verified_at: '2026-06-30T00:00:00Z',
      })),
    ],
  ]
}

/** Reproducible pseudo-random numbers: the same seed gives the same numbers. Not for secrets. */
export interface Random {
  /** 0 to `below` - 1. */
  integer(below: number): number
  chance(probability: number): boolean
  pick(from: readonly string[]): string
  /** Picks a name by weight, such as `{ often: 9, seldom: 1 }`. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name
  /** Lowercase hexadecimal digits. */
  hex(digits: number): string
  /** UUIDv7 (RFC 9562 §5.7) of an instant, milliseconds since 1970. */
  uuid(atMs: number): string
}

function createRandom(seed: number): Random {
  let state = seed >>> 0

  /** Mulberry32: from 0 up to, but not including, 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const integer = (below: number) => Math.floor(next() * below)
  const hex = (digits: number) => Array.from({ length: digits }, () => integer(16).toString(16)).join('')
  return {
    integer,
    chance: (probability) => next() < probability,
    pick: (from) => from[integer(from.length)] ?? '',
    weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
      // Trust boundary: `Object.keys` returns string[], although these are exactly the names of the type.
      const names = Object.keys(weights) as Name[]
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0)
      for (const name of names) {
        left -= weights[name]
        if (left < 0) return name
      }
      throw new TypeError('weighted needs at least one positive weight')
    },
    hex,
    uuid(atMs) {
      const time = Math.floor(atMs).toString(16).padStart(12, '0')
      const variant = (8 + integer(4)).toString(16)
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(12)}`
    },
  }
}
