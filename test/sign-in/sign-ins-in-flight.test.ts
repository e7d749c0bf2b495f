import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { requestErasure } from '../../src/identity/erasure.ts'
import type { Database, Rows } from '../../src/platform/database/database.ts'
import { accountChanges, type Place } from '../support/account-changes.ts'
import { holdRows, longLockWaits } from '../support/blocked.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { origin, register, signInBy, signInOptions } from '../support/passkey-client.ts'
import { problemOf } from '../support/problem.ts'
import type { Answer, Person, Service } from '../support/service.ts'
import { challengeFor, enrol, newClient, startIssuer, tokensOf } from '../support/test-client.ts'

let service: Service
let fresh: FreshDatabase
let dataDir: Awaited<ReturnType<typeof makeDataDir>>
let place: Place
beforeAll(async () => {
  dataDir = await makeDataDir()
  fresh = await freshDatabase({ limits: longLockWaits })
  service = await startIssuer({ env: { MUSTER_DATA_DIR: dataDir.path, MUSTER_WEBAUTHN_ORIGINS: origin }, on: fresh })
  const { token: adminToken } = await service.person({ role: 'admin' })
  place = {
    fresh: service.fresh,
    adminToken,
    call: (method, path, call) => newClient(service).send(method, path, call),
  }
})
afterAll(async () => {
  await service.stop()
  await fresh.drop()
  await dataDir.remove()
})

/**
 * Holds a new transaction of the built-in issuer: the one of a sign-in that has verified its proof, but has not locked
 * the account or written anything. Each counted attempt has an earlier transaction.
 */
function holdTransaction({ counted }: { readonly counted: number }) {
  let left = counted
  const { issuer } = service.parts
  if (!issuer) throw new Error('the built-in issuer is disabled')
  const { database } = issuer
  let reach = (): void => undefined
  let release = (): void => undefined
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const held: Database = Object.create(database, {
    transaction: {
      value: (work: (rows: Rows) => Promise<unknown>) => {
        left -= 1
        if (left >= 0) return database.transaction(work)
        Object.assign(issuer, { database })
        return database.transaction(async (rows) => {
          reach()
          await released
          return work(rows)
        })
      },
    },
  })
  Object.assign(issuer, { database: held })
  onTestFinished(() => {
    Object.assign(issuer, { database })
    release()
  })
  return { reached, release }
}

/** What a sign-in writes: sessions except the given one, and challenges. */
const writtenFor = (id: string, token: string) =>
  service.sql(
    `select s.id::text from session s where s.account_id = $1 and s.ended_at is null and s.id::text <> $2
     union all select encode(h.hash, 'hex') from sign_in_challenge h where h.account_id = $1`,
    [id, JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid],
  )

interface Kind {
  /** The number of counted attempts: one for a password, one for a code. */
  readonly counted: number
  /** Prepares the sign-in. Returns a function that sends the proof. */
  readonly prepare: (owner: Person) => Promise<() => Promise<Answer>>
  readonly refused: readonly string[]
}

const withFactor = async (owner: Person) => {
  const { recoveryCodes } = await enrol(service, owner.token, { password: owner.password })
  return { recoveryCode: recoveryCodes[0] }
}

const kinds: Readonly<Record<string, Kind>> = {
  'the password': {
    counted: 1,
    prepare:
      async ({ email, password }) =>
      () =>
        newClient(service).signIn(email, password),
    refused: ['sign_in_refused'],
  },
  'the password, which asks for a second step': {
    counted: 1,
    prepare: async (owner) => {
      await withFactor(owner)
      return () => newClient(service).signIn(owner.email, owner.password)
    },
    refused: ['sign_in_refused'],
  },
  'the password with a recovery code': {
    counted: 2,
    prepare: async (owner) => {
      const proof = await withFactor(owner)
      return () => newClient(service).signIn(owner.email, owner.password, proof)
    },
    refused: ['sign_in_refused'],
  },
  'the second step': {
    counted: 1,
    prepare: async (owner) => {
      const proof = await withFactor(owner)
      const challenge = await challengeFor(newClient(service), owner)
      return () => newClient(service).post('/auth/sign-in/second-step', { challenge, ...proof })
    },
    refused: ['challenge_invalid', 'code_refused'],
  },
  'a passkey': {
    counted: 0,
    prepare: async (owner) => {
      const { authenticator } = await register(service, owner.token)
      const credential = authenticator.get(await signInOptions(service))
      return () => signInBy(service, credential)
    },
    refused: ['passkey_refused'],
  },
}

describe('a sign-in that was verified before a change and writes after it is rejected and leaves nothing', () => {
  for (const [change, prepareChange] of Object.entries(accountChanges))
    for (const [kind, { prepare, counted, refused }] of Object.entries(kinds))
      test(`${kind}, around ${change}`, async () => {
        const owner = await service.person()
        const signIn = await prepare(owner)
        const { begin, finish } = await prepareChange(place, owner)
        const held = holdTransaction({ counted })
        const answered = signIn()
        await held.reached
        await begin()
        await finish?.()
        held.release()
        expect(refused).toContain(problemOf(await answered).code)
        expect(await writtenFor(owner.id, owner.token)).toEqual([])
      })

  test('the password, if only the stored hash changed', async () => {
    const owner = await service.person()
    const held = holdTransaction({ counted: 1 })
    const answered = newClient(service).signIn(owner.email, owner.password)
    await held.reached
    await service.sql(`update credential set password = password || ' ' where account_id = $1`, [owner.id])
    held.release()
    expect(problemOf(await answered)).toEqual({ status: 401, code: 'sign_in_refused' })
    expect(await writtenFor(owner.id, owner.token)).toEqual([])
  })

  const immediately: Readonly<Record<string, (owner: Person) => Promise<unknown>>> = {
    'an immediate deletion': async (owner) => (await accountChanges['an immediate deletion']?.(place, owner))?.begin(),
    'the request of an immediate deletion': ({ id: accountId }) =>
      service.database.transaction((rows) =>
        requestErasure(rows, { accountId, afterDays: 0, acceptedIssuers: service.parts.users.erasure.acceptedIssuers }),
      ),
  }
  for (const [deletion, remove] of Object.entries(immediately))
    test(`restoring an account, around ${deletion}`, async () => {
      const owner = await service.person()
      await (await accountChanges['a deletion']?.(place, owner))?.begin()
      const { challenge } = (await newClient(service).signIn(owner.email, owner.password)).body as { challenge: string }
      const held = holdTransaction({ counted: 0 })
      const answered = newClient(service).post('/auth/account/keep', { challenge })
      await held.reached
      await remove(owner)
      held.release()
      expect(problemOf(await answered)).toEqual({ status: 401, code: 'challenge_invalid' })
      expect(await service.sql('select from account where id = $1 and erases_at is null', [owner.id])).toEqual([])
    })
})

describe('a session that a sign-in opens while the account is being changed', () => {
  for (const [change, prepareChange] of Object.entries(accountChanges))
    test(`ends because of ${change}`, async () => {
      const owner = await service.person()
      const { begin, finish } = await prepareChange(place, owner)
      // The sign-in has locked the account, and the change waits for it.
      const held = await holdRows(service.fresh, [['lock table refresh_token in exclusive mode', []]])
      const answered = newClient(service).signIn(owner.email, owner.password)
      await held.blocks(answered)
      const changed = begin()
      await waitForBlocked(2)
      await held.commitOnce(answered)
      const { access, refresh } = tokensOf(await answered)
      await changed
      await finish?.()
      expect([401, 403]).toContain((await service.get('/api/v1/user/data', { token: access })).status)
      expect((await newClient(service).post('/auth/refresh', { refresh_token: refresh })).status).toBe(401)
      expect(await writtenFor(owner.id, owner.token)).toEqual([])
    })
})

/** Waits until `count` statements of this database wait for a lock. */
async function waitForBlocked(count: number): Promise<void> {
  const blocked = `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
  await expect.poll(async () => (await service.fresh.sql(blocked)).length).toBeGreaterThanOrEqual(count)
}

test('two concurrent first sign-ins with an imported hash both open a session', async () => {
  const owner = await service.person()
  const { hash } = await import('bcryptjs')
  for (let round = 0; round < 5; round += 1) {
    await service.sql('update credential set password = $2 where account_id = $1', [
      owner.id,
      await hash(owner.password, 4),
    ])
    const answers = await Promise.all([1, 2, 3].map(() => newClient(service).signIn(owner.email, owner.password)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  }
})

test('a session that ends while its token is exchanged: 401 refresh_refused', async () => {
  const owner = await service.person()
  const { refresh } = await newClient(service).openSession(owner)
  const held = await holdRows(service.fresh, [
    ['update session set ended_at = now() where account_id = $1', [owner.id]],
  ])
  const refreshed = newClient(service).post('/auth/refresh', { refresh_token: refresh })
  await held.commitOnce(refreshed)
  const refused = { status: 401, code: 'refresh_refused' }
  expect(problemOf(await refreshed)).toEqual(refused)
  expect(problemOf(await newClient(service).post('/auth/refresh', { refresh_token: refresh }))).toEqual(refused)
})
