import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/platform/database/database.ts'
import { opaqueTokenHash, Secret } from '../../src/platform/secret.ts'
import { type Attempt, allow, type CallLimits, type Decision } from '../../src/sign-in/sessions/allow.ts'
import {
  afterTry,
  type Bucket,
  type BucketState,
  buckets,
  callBucket,
  unusedState,
  waitSeconds,
} from '../../src/sign-in/sessions/buckets.ts'
import { describeClient } from '../../src/sign-in/sessions/client.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase({ limits: { connectionsMax: 20 } })
  for (const email of ['ada@example.com', 'eve@example.com'])
    await fresh.sql(
      `with made as (insert into account (email) values ($1) returning id),
         sealed as (insert into credential (account_id, email, password) select id, $1, 'x' from made),
         opened as (insert into session (account_id, amr, expires_at, network) select id, '{pwd}', now() + interval '1 day', $2 from made)
       insert into device (account_id, hash) select id, $3 from made`,
      [email, home, opaqueTokenHash(`mdt_${email}`)],
    )
})
afterAll(() => fresh.drop())
beforeEach(async () => {
  await fresh.sql('delete from sign_in_bucket')
})

const home = '198.51.100.1'
const clientAt = (address: string) => describeClient({ address, requestId: 'r' })

/** Tests over HTTP cover the limits on calls. */
const unlimited: CallLimits = {
  ofDevice: () => callBucket('device-sign-ins', 1_000_000, 'any'),
  ofNetworks: () => [],
  requireUnits() {},
  counted() {},
}

function attemptOf(email: string, address: string, device?: string): Attempt {
  const deviceToken = device === undefined ? undefined : new Secret(`mdt_${device}`)
  return { kind: 'sign-in', email, client: clientAt(address), deviceToken, calls: unlimited }
}

async function pass(seconds: number): Promise<void> {
  await fresh.sql(`update sign_in_bucket set full_at = full_at - make_interval(secs => $1)`, [seconds])
}

/** What counts proofs. Calls are counted whatever their outcome. */
const rows = () => fresh.sql(`select * from sign_in_bucket where scope <> 'calls' order by key`)
const tryOnce = (email: string, address: string, device?: string) =>
  allow(fresh.database, attemptOf(email, address, device))

/** What the caller sees, and the scope: account or network. */
const seen = (decision: Decision) => (decision.isAllowed ? 'judged' : `${decision.scope} ${decision.retryAfterSeconds}`)

/** Kinds of parallel attempts, each from its own network, with the one bucket that it is charged to. */
const parallel = {
  name: (id: string) => ({
    bucket: buckets.name(`${id}@example.com`),
    attempt: (n: number) => attemptOf(`${id}@example.com`, `10.${n}.0.1`),
  }),
  session: (id: string) => ({
    bucket: buckets.session(id),
    attempt: (): Attempt => ({ kind: 'session', sessionId: id }),
  }),
  code: (id: string) => ({
    bucket: buckets.code(id),
    attempt: (): Attempt => ({ kind: 'code', accountId: id, isOfApp: false }),
  }),
}

test('allows exactly as many parallel attempts as there are units left', async () => {
  const trial = fc.record({
    kind: fc.constantFrom('session', 'code', 'session', 'code', 'name'),
    used: fc.nat(11),
    hasFailedOften: fc.boolean(),
    // In units that have come back since.
    waited: fc.nat(4),
    tries: fc.integer({ min: 2, max: 10 }),
  })
  let trials = 0
  await fc.assert(
    fc.asyncProperty(trial, async ({ kind, used, hasFailedOften, waited, tries }) => {
      trials += 1
      const { bucket, attempt } = parallel[kind](`t${trials}`)
      const { key, capacity, slower } = bucket
      const failures = hasFailedOften ? 120 : 0
      const stepSeconds = (failures > 0 && slower?.stepSeconds) || bucket.stepSeconds
      // Half a step before the next unit comes back: at least five minutes, so that the duration of the test does not
      // matter.
      await fresh.sql(
        `insert into sign_in_bucket (scope, key, full_at, failures, capacity, step)
         values ('account', $1, now() + ($2 - 0.5) * make_interval(secs => $3), $4, $5, make_interval(secs => $3))`,
        [key, Math.min(used, capacity) - waited, stepSeconds, failures, capacity],
      )
      const free = Math.min(capacity, capacity - Math.min(used, capacity) + waited)
      const decisions = await Promise.all(Array.from({ length: tries }, (_, n) => allow(fresh.database, attempt(n))))
      expect(decisions.filter(({ isAllowed }) => isAllowed)).toHaveLength(Math.min(tries, free))
      const [row] = await fresh.sql<{ failures: number }>(`select failures from sign_in_bucket where key = $1`, [key])
      expect(row?.failures).toBe(failures + Math.min(tries, free))
    }),
    { numRuns: 60 },
  )
})

test('allows exactly as many parallel attempts for many emails as their network has units', async () => {
  const decisions = await Promise.all(Array.from({ length: 120 }, (_, n) => tryOnce(`m${n}@example.com`, '10.9.9.9')))
  expect(decisions.filter(({ isAllowed }) => isAllowed).length).toBeGreaterThanOrEqual(100)
  // At most one unit comes back every three seconds while the test runs.
  expect(decisions.filter(({ isAllowed }) => isAllowed).length).toBeLessThan(112)
  const [sum] = await fresh.sql<{ names: number }>(
    `select count(*)::int as names from sign_in_bucket where scope = 'account'`,
  )
  expect(sum?.names).toBe(decisions.filter(({ isAllowed }) => isAllowed).length)
})

test('rejects an attempt after five lost races for the last unit', async () => {
  const { key, capacity } = buckets.session('outrun')
  let reads = 0
  const outrun: Database = {
    ...fresh.database,
    async query(statement, values) {
      reads += 1
      await fresh.sql('delete from sign_in_bucket')
      return fresh.database.query(statement, values)
    },
    async transaction(work) {
      await fresh.sql(
        `insert into sign_in_bucket (scope, key, full_at, failures, capacity, step) values ('account', $1, now() + interval '9 hours', 10, $2, '15 minutes')`,
        [key, capacity],
      )
      return fresh.database.transaction(work)
    },
  }
  const decision = await allow(outrun, { kind: 'session', sessionId: 'outrun' })
  expect([seen(decision), reads]).toEqual(['account 1', 6])
})

test('a rejected attempt changes no row', async () => {
  for (let n = 0; n < 10; n += 1) await tryOnce('nobody@example.com', '10.1.1.1')
  const before = await rows()
  for (let n = 0; n < 5; n += 1)
    expect(seen(await tryOnce('nobody@example.com', `10.2.${n}.1`))).toMatch(/^account [89]\d\d$/)
  expect(await rows()).toEqual(before)
})

test('allows exactly one attempt after the seconds in Retry-After', async () => {
  for (let n = 0; n < 10; n += 1) await tryOnce('nobody@example.com', '10.1.1.1')
  const refused = await tryOnce('nobody@example.com', '10.1.1.1')
  expect(refused).toMatchObject({ isAllowed: false, scope: 'account' })
  await pass(refused.isAllowed ? 0 : (refused.retryAfterSeconds ?? 0))
  expect(seen(await tryOnce('nobody@example.com', '10.1.1.1'))).toBe('judged')
  expect(seen(await tryOnce('nobody@example.com', '10.1.1.1'))).toMatch(/^account /)
})

test('gives a unit back every hour after 100 failures', async () => {
  const { key } = buckets.name('nobody@example.com')
  await fresh.sql(
    `insert into sign_in_bucket (scope, key, full_at, failures, capacity, step) values ('account', $1, now() + interval '9 hours', 100, 10, '15 minutes')`,
    [key],
  )
  expect(seen(await tryOnce('nobody@example.com', '10.1.1.1'))).toBe('judged')
  expect(seen(await tryOnce('nobody@example.com', '10.1.1.1'))).toMatch(/^account 3[56]\d\d$/)
})

test('a success empties only the bucket that it was charged to', async () => {
  for (let n = 0; n < 9; n += 1) await tryOnce('ada@example.com', '10.1.1.1')
  for (let n = 0; n < 9; n += 1) await tryOnce('ada@example.com', home)
  for (let n = 0; n < 9; n += 1) await tryOnce('ada@example.com', '10.3.3.3', 'ada@example.com')
  const own = await tryOnce('ada@example.com', '10.3.3.3', 'ada@example.com')
  if (own.isAllowed) await own.succeeded(fresh.database)
  const atHome = await tryOnce('ada@example.com', home)
  if (atHome.isAllowed) await atHome.succeeded(fresh.database)
  const left = await fresh.sql<{ key: Buffer; failures: number }>(
    `select key, failures from sign_in_bucket where scope = 'account'`,
  )
  expect(left).toEqual([{ key: buckets.name('ada@example.com').key, failures: 9 }])
  expect(seen(await tryOnce('ada@example.com', '10.1.1.1'))).toBe('judged')
  expect(seen(await tryOnce('ada@example.com', '10.1.1.1'))).toMatch(/^account /)
})

test('emails with and without an account leave the same rows and get the same responses', async () => {
  const shape = async (email: string) => {
    const answers: string[] = []
    for (let n = 0; n < 12; n += 1) answers.push(seen(await tryOnce(email, `10.4.${n}.1`)).replace(/\d+$/, ''))
    const found = await fresh.sql(
      `select capacity, failures, step::text, last_network_units from sign_in_bucket order by scope, capacity, failures, key`,
    )
    await fresh.sql('delete from sign_in_bucket')
    return { answers, found }
  }
  expect(await shape('ada@example.com')).toEqual(await shape('nobody@example.com'))
})

test('charges nothing for an attempt that was not verified', async () => {
  await tryOnce('ada@example.com', '10.5.5.5')
  const before = await rows()
  const failed = await tryOnce('ada@example.com', '10.5.5.5')
  if (failed.isAllowed) await failed.returnUnits(fresh.database)
  const counts = (all: object[]) => all.map((row) => ({ ...row, full_at: undefined, touched_at: undefined }))
  expect(counts(await rows())).toEqual(counts(before))
})

describe('networks', () => {
  /** Half full for a long time, so that only charges change it, even on a slow machine. */
  async function halfFull(...networks: readonly string[]) {
    for (const network of networks) {
      const { key, capacity, stepSeconds } = buckets.network(network)
      await fresh.sql(
        `insert into sign_in_bucket (scope, key, full_at, failures, capacity, step) values ('network', $1, now() + $2 * make_interval(secs => $3), 1, $4, make_interval(secs => $3))`,
        [key, capacity / 2, stepSeconds, capacity],
      )
    }
    const fullAt = async (network: string) => {
      const { key } = buckets.network(network)
      const [row] = await fresh.sql<{ at: number }>(
        `select extract(epoch from full_at)::float8 as at from sign_in_bucket where key = $1`,
        [key],
      )
      return (row?.at ?? 0) / buckets.network(network).stepSeconds
    }
    const before = await Promise.all(networks.map(fullAt))
    return async () => (await Promise.all(networks.map(fullAt))).map((at, n) => Math.round(at - (before[n] ?? 0)))
  }

  test('a success returns up to three units to its network', async () => {
    for (const [failures, cost] of [
      [0, 0],
      [2, 0],
      [5, 3],
    ] as const) {
      await fresh.sql('delete from sign_in_bucket')
      const charged = await halfFull('10.6.6.6', '10.6.6.0/24')
      for (let n = 0; n < failures; n += 1) await tryOnce('ada@example.com', '10.6.6.6')
      const right = await tryOnce('ada@example.com', '10.6.6.6')
      if (right.isAllowed) await right.succeeded(fresh.database)
      expect([failures, ...(await charged())]).toEqual([failures, cost, cost])
    }
  })

  test('a success returns no units of other emails or networks', async () => {
    const charged = await halfFull('10.7.7.7', '10.8.8.8')
    for (let n = 0; n < 3; n += 1) await tryOnce(`spray${n}@example.com`, '10.7.7.7')
    await tryOnce('eve@example.com', '10.8.8.8')
    await tryOnce('eve@example.com', '10.8.8.8')
    const right = await tryOnce('eve@example.com', '10.7.7.7')
    if (right.isAllowed) await right.succeeded(fresh.database)
    expect(await charged()).toEqual([3, 2])
  })

  test('known devices and second steps are charged to no network', async () => {
    await tryOnce('ada@example.com', '10.9.9.9', 'ada@example.com')
    await allow(fresh.database, { kind: 'session', sessionId: 'x' })
    await allow(fresh.database, { kind: 'code', accountId: 'x', isOfApp: true })
    expect(await fresh.sql(`select from sign_in_bucket where scope = 'network'`)).toEqual([])
  })
})

test('ignores the device token of another account', async () => {
  for (let n = 0; n < 10; n += 1) await tryOnce('ada@example.com', '10.1.1.1')
  expect(seen(await tryOnce('ada@example.com', '10.1.1.1', 'eve@example.com'))).toMatch(/^account /)
  expect(seen(await tryOnce('ada@example.com', '10.1.1.1', 'ada@example.com'))).toBe('judged')
})

test('knows only the five latest networks of the last 30 days', async () => {
  const email = 'traveller@example.com'
  await fresh.sql(
    `with made as (insert into account (email) values ($1) returning id),
       sealed as (insert into credential (account_id, email, password) select id, $1, 'x' from made)
     insert into session (account_id, amr, created_at, expires_at, network)
     select id, array['pwd'], now() - make_interval(days => n), now() + interval '1 day', '203.0.113.' || n
     from made, unnest(array[1, 2, 3, 31]) n
     union all select id, array['pwd'], now() - make_interval(days => 10 + n), now() + interval '1 day', '198.51.100.' || n
     from made, generate_series(1, 4) n`,
    [email],
  )
  for (let n = 0; n < 10; n += 1) await tryOnce(email, '10.1.1.1')
  const known = async (network: string) => seen(await tryOnce(email, network)) === 'judged'
  const networks = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '198.51.100.1', '198.51.100.2']
  for (const network of networks) expect(await known(network), network).toBe(true)
  for (const network of ['198.51.100.3', '198.51.100.4', '203.0.113.31'])
    expect(await known(network), network).toBe(false)
})

/** A model of the rules in memory, compared with the database step by step. */
function modelled() {
  const held = new Map<string, { fullAt: number; failures: number }>()
  let now = 0
  const stateOf = ({ key }: Bucket): BucketState => {
    const row = held.get(key.toString('hex'))
    return row ? { fullInSeconds: row.fullAt - now, failures: row.failures } : unusedState
  }
  return {
    pass(seconds: number) {
      now += seconds
    },
    wait: (bucket: Bucket) => waitSeconds(bucket, stateOf(bucket)),
    charge(bucket: Bucket): number {
      const { fullInSeconds, failures } = afterTry(bucket, stateOf(bucket))
      held.set(bucket.key.toString('hex'), { fullAt: now + fullInSeconds, failures })
      return failures
    },
    empty: (bucket: Bucket) => held.delete(bucket.key.toString('hex')),
    failures: () => new Map([...held].map(([key, { failures }]) => [key, failures])),
  }
}

interface Try {
  readonly email: string
  readonly isHome: boolean
  readonly hasDevice: boolean
  readonly isRight: boolean
}

async function playTry(model: ReturnType<typeof modelled>, { email, isHome, hasDevice, isRight }: Try): Promise<void> {
  const hasAccount = email !== 'nobody@example.com'
  // Each email from its own network, so that no network is ever full.
  const place = createHash('sha256').update(email).digest()[0] ?? 0
  const unknown = hasAccount && isHome ? buckets.nameInNetwork(email, home) : buckets.name(email)
  const device = buckets.device(opaqueTokenHash(`mdt_${email}`))
  const asked = hasDevice && hasAccount ? [device, unknown] : [unknown]
  const charged = asked.find((bucket) => model.wait(bucket) <= 0)
  const decision = await tryOnce(email, isHome ? home : `10.20.${place}.1`, hasDevice ? email : undefined)
  expect(decision.isAllowed).toBe(charged !== undefined)
  if (!decision.isAllowed) {
    const wait = Math.min(...asked.map(model.wait))
    expect(Math.abs((decision.retryAfterSeconds ?? 0) - wait)).toBeLessThan(60)
  } else if (charged) {
    expect(decision).toMatchObject({ isKnown: charged === device, failures: model.charge(charged) })
    if (!isRight) return
    await decision.succeeded(fresh.database)
    model.empty(charged)
  }
}

test('the database decides every history of attempts as the rules do', async () => {
  const attempt = fc.record({
    email: fc.constantFrom('ada@example.com', 'eve@example.com', 'nobody@example.com'),
    isHome: fc.boolean(),
    hasDevice: fc.boolean(),
    isRight: fc.nat(9).map((n) => n === 0),
  })
  // Much longer than the test takes, so that its duration does not matter.
  const pause = fc.integer({ min: 1, max: 12 }).map((n) => n * 300)
  const history = fc.array(fc.oneof({ weight: 6, arbitrary: attempt }, { weight: 1, arbitrary: pause }), {
    minLength: 20,
    maxLength: 60,
  })
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      await fresh.sql('delete from sign_in_bucket')
      const model = modelled()
      for (const step of steps)
        if (typeof step === 'number') {
          model.pass(step)
          await pass(step)
        } else await playTry(model, step)
      const held = await fresh.sql<{ key: Buffer; failures: number }>(
        `select key, failures from sign_in_bucket where scope = 'account'`,
      )
      expect(new Map(held.map(({ key, failures }) => [key.toString('hex'), failures]))).toEqual(model.failures())
    }),
    { numRuns: 5 },
  )
})
