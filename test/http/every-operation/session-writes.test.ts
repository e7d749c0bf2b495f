import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAuthenticator } from '../../support/authenticator.ts'
import { holdRows, longLockWaits } from '../../support/blocked.ts'
import { makeDataDir } from '../../support/data-dir.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'
import { mailSettings } from '../../support/mail-server.ts'
import { operations } from '../../support/openapi.ts'
import { creationOptions, origin, register } from '../../support/passkey-client.ts'
import { problemOf } from '../../support/problem.ts'
import type { Call, Person, Service } from '../../support/service.ts'
import { codeAt, enrol, newClient, startIssuer } from '../../support/test-client.ts'

let service: Service
let fresh: FreshDatabase
let dataDir: Awaited<ReturnType<typeof makeDataDir>>
beforeAll(async () => {
  dataDir = await makeDataDir()
  fresh = await freshDatabase({ limits: longLockWaits })
  const mail = mailSettings({ url: 'smtp://127.0.0.1:1' })
  const env = { ...mail, MUSTER_DATA_DIR: dataDir.path, MUSTER_WEBAUTHN_ORIGINS: origin }
  service = await startIssuer({ env, on: fresh })
})
afterAll(async () => {
  await service.stop()
  await fresh.drop()
  await dataDir.remove()
})

type Write = Pick<Call, 'body'> & { readonly path: string }

async function pendingFactor({ token, password }: Person): Promise<{ id: string; secret: string }> {
  const enrolled = await newClient(service).post('/auth/factors', { friendlyName: 'Phone', password }, token)
  return enrolled.body as { id: string; secret: string }
}

const factorOf = ({ token, password }: Person) => enrol(service, token, { password })
const newPassword = 'seventeen small turtles'

/** Every write of a session to its own account, by operation id. Prepares it and returns the request. */
const writes: Readonly<Record<string, (person: Person) => Promise<Write>>> = {
  stepUp: async ({ password }) => ({ path: '/auth/step-up', body: { password } }),
  passkeyStepUpOptions: async ({ token }) => {
    await register(service, token)
    return { path: '/auth/step-up/passkey/options', body: {} }
  },
  signOut: async () => ({ path: '/auth/sign-out' }),
  signOutEverywhere: async () => ({ path: '/auth/sign-out-everywhere' }),
  removeDevice: async (person) => {
    await newClient(service).openSession(person)
    const [device] = await service.sql<{ id: string }>('select id from device where account_id = $1', [person.id])
    return { path: `/auth/devices/${device?.id}` }
  },
  endSession: async (person) => {
    const { access } = await newClient(service).openSession(person)
    return { path: `/auth/sessions/${String(decodeJwt(access).sid)}` }
  },
  chooseOrganization: async ({ id }) => {
    const [row] = await service.sql<{ orgId: string }>(
      `with o as (insert into organization (name) values ('Engines') returning id)
       insert into membership (organization_id, account_id, role_id) select id, $1, 'member' from o
       returning organization_id as "orgId"`,
      [id],
    )
    return { path: '/auth/current-organization', body: { orgId: row?.orgId } }
  },
  changePassword: async ({ password }) => ({
    path: '/auth/password',
    body: { currentPassword: password, newPassword },
  }),
  requestEmailChange: async ({ email }) => ({ path: '/auth/email', body: { newEmail: `new-${email}` } }),
  withdrawEmailChange: async ({ email, token }) => {
    await newClient(service).post('/auth/email', { newEmail: `new-${email}` }, token)
    return { path: '/auth/email' }
  },
  changeOwnAccount: async () => ({ path: '/auth/account', body: { language: 'de' } }),
  eraseOwnAccount: async () => ({ path: '/auth/account/erase' }),
  enrolFactor: async ({ password }) => ({ path: '/auth/factors', body: { friendlyName: 'Phone', password } }),
  verifyFactor: async (person) => {
    const { id, secret } = await pendingFactor(person)
    return { path: `/auth/factors/${id}/verify`, body: { code: codeAt(secret, service.clock.now()) } }
  },
  renameFactor: async (person) => {
    const { id } = await factorOf(person)
    return { path: `/auth/factors/${id}`, body: { friendlyName: 'Old phone' } }
  },
  removeFactor: async (person) => {
    const { id } = await factorOf(person)
    return { path: `/auth/factors/${id}/remove`, body: {} }
  },
  renewRecoveryCodes: async (person) => {
    await factorOf(person)
    return { path: '/auth/recovery-codes', body: { password: person.password } }
  },
  passkeyOptions: async () => ({ path: '/auth/passkeys/options', body: {} }),
  addPasskey: async ({ token }) => {
    const credential = newAuthenticator({ origin }).create(await creationOptions(service, token))
    return { path: '/auth/passkeys', body: { friendlyName: 'Laptop', credential } }
  },
}

const ofSessions = operations.filter(
  ({ path, method, permission }) => path.startsWith('/auth/') && permission === 'caller' && method !== 'GET',
)

/** Everything that a session can change. The test itself ends the session. */
async function stateOf(id: string): Promise<unknown> {
  const tables = ['credential', 'factor', 'passkey', 'recovery_code', 'device', 'account_link', 'mail_request']
  const more = ['webauthn_challenge', 'sign_in_challenge', 'session']
  const each = [...tables, ...more].map(
    (table) =>
      `(select coalesce(jsonb_agg(to_jsonb(t) - 'ended_at' order by to_jsonb(t) - 'ended_at'), '[]') from ${table} t where t.account_id = $1)`,
  )
  const [row] = await service.sql(
    `select (select to_jsonb(a) from account a where a.id = $1) as account, jsonb_build_array(${each.join(', ')}) as rows`,
    [id],
  )
  return row
}

describe('a session that ends after the first check writes nothing: 401 session_ended', () => {
  test('every write of a session is tested', () => {
    expect(Object.keys(writes).sort()).toEqual(ofSessions.map(({ id }) => id).sort())
  })

  test.each(ofSessions.map(({ id, method }) => ({ id, method })))('$id', async ({ id, method }) => {
    const person = await service.person()
    const write = await writes[id]?.(person)
    const before = await stateOf(person.id)
    const held = await holdRows(service.fresh, [
      ['select from account where id = $1 for update', [person.id]],
      ['update session set ended_at = now() where account_id = $1 and ended_at is null', [person.id]],
    ])
    const { path = '', body } = write ?? {}
    const answered = newClient(service).send(method, path, { token: person.token, ...(body !== undefined && { body }) })
    await held.commitOnce(answered)
    expect(problemOf(await answered)).toEqual({ status: 401, code: 'session_ended' })
    expect(await stateOf(person.id)).toEqual(before)
  })
})
