import type { NewRow } from '../../src/platform/database/insert-rows.ts'
import { factorNames, familyNames, givenNames, organizationNames } from './names.ts'
import { createRandom, type Random } from './random.ts'

export interface DemoSize {
  readonly people: number
  readonly organizations: number
}

export interface DemoPerson {
  readonly id: string
  readonly email: string
  readonly isDisabled: boolean
}

/** Rows by table, in the order of their insertion, and the people who can sign in. */
export interface DemoData {
  readonly tables: readonly (readonly [table: string, rows: readonly NewRow[]])[]
  readonly people: readonly DemoPerson[]
  readonly factors: readonly { readonly id: string; readonly accountId: string; readonly name: string }[]
}

/** All times lie before this instant, so that the same seed makes the same rows at any time. */
const endsAtMs = Date.parse('2026-06-30T00:00:00Z')
const spanMs = 2 * 365 * 86_400_000

/** Realistic people, organisations, plans and subscriptions. The same seed and size make the same data. Pure. */
export function makeDemoData(seed: number, { people, organizations }: DemoSize): DemoData {
  const random = createRandom(seed)
  const orgs = Array.from({ length: organizations }, (_, index) => organization(random, index))
  const accounts = Array.from({ length: people }, (_, index) => account(random, index, orgs))
  const memberships = accounts.flatMap((person) => membershipsOf(random, person, orgs))
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
    people: accounts.map(({ row }) => ({ id: row.id, email: row.email, isDisabled: row.disabled_at !== null })),
    factors,
  }
}

/** A plan that exists already keeps its name. */
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
  const base = organizationNames[index % organizationNames.length] ?? organizationNames[0]
  const round = Math.floor(index / organizationNames.length)
  const name = round === 0 ? base : `${base} ${round + 1}`
  const atMs = endsAtMs - spanMs + random.integer(spanMs / 2)
  return { domain: `${plain(name)}.example`, row: { id: random.uuid(atMs), name, created_at: iso(atMs) } }
}

function account(random: Random, index: number, orgs: readonly Organization[]) {
  const home = random.chance(0.85) ? orgs[random.integer(orgs.length)] : undefined
  const name = `${plain(random.pick(givenNames))}.${plain(random.pick(familyNames))}`
  const atMs = endsAtMs - random.integer(spanMs / 2)
  return {
    home,
    atMs,
    row: {
      id: random.uuid(atMs),
      // The number makes the address unique for any name.
      email: `${name}.${index + 1}@${home?.domain ?? 'mail.example'}`,
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
    price_id: `price_demo_${plan}_${random.weighted({ monthly: 3, yearly: 1 })}`,
    product_name: plan === 'pro' ? 'Pro' : 'Team',
    status,
    created_at: iso(atMs),
    seen_at: iso(atMs),
    seen_rank: 0,
  })
  const atMs = endsAtMs - random.integer(spanMs / 4)
  const latest = make(random.weighted(statuses), atMs)
  // Some came back after they had ended their first subscription.
  return random.chance(0.2) ? [make('canceled', atMs - 90 * 86_400_000), latest] : [latest]
}

function factorsOf(random: Random, accountId: string): DemoData['factors'] {
  const names = new Set([random.pick(factorNames), ...(random.chance(0.3) ? [random.pick(factorNames)] : [])])
  return [...names].map((name) => ({ id: random.uuid(endsAtMs), accountId, name }))
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** A name as part of an address: no accents, nothing but letters and hyphens. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
}
