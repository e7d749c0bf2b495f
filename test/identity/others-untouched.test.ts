import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseAccount, eraseDue } from '../../src/identity/erase-account.ts'
import { keepAccount } from '../../src/identity/erasure.ts'
import { setAccountRole } from '../../src/identity/grants.ts'
import { createAccountLink, type LinkPurpose } from '../../src/sign-in/links/account-links.ts'
import { changeEmail, resetFactors, unlockAccount } from '../../src/sign-in/links/operator-recovery.ts'
import { createSignUpInvitation } from '../../src/sign-in/links/sign-up-links.ts'
import { administrationOf } from '../support/administration.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { everyRow, tableOf } from '../support/every-row.ts'
import { type FullAccount, fullAccount } from '../support/full-account.ts'
import { startIssuer, type TestIssuer } from '../support/issuer.ts'
import { tablesOf } from '../support/rows-and-schema.ts'
import type { Answer, Person, Service } from '../support/service.ts'
import { newClient, startIssuer as startSignIn } from '../support/test-client.ts'

let service: Service
let issuer: TestIssuer
let dataDir: Awaited<ReturnType<typeof makeDataDir>>
/** Emails of the administrator, and of accounts that nothing is done to. */
let untouched: readonly string[]
let admin: Person
/** One of those accounts, with an unverified email. */
let squatter: FullAccount

beforeAll(async () => {
  dataDir = await makeDataDir()
  issuer = await startIssuer()
  const entry = { issuer: issuer.name, algorithms: ['ES256'], audience: 'muster-api', trustsEmail: true }
  service = await startSignIn({
    env: {
      MUSTER_SIGN_UP: 'open',
      MUSTER_DATA_DIR: dataDir.path,
      MUSTER_ISSUERS: JSON.stringify([entry]),
    },
  })
  admin = await service.person({ role: 'admin' })
  const [active, erasing] = [await bystander(), await bystander()]
  squatter = await bystander()
  await service.sql(
    `update account set disabled_at = now(), erase_requested_at = now(), erases_at = now() + interval '1 day' where id = $1`,
    [erasing.id],
  )
  await loseProof(squatter.id)
  await service.sql(
    `insert into act_as (actor_id, account_id, session, expires_at) values ($1, $2, 's', now() + interval '1 hour')`,
    [squatter.id, active.id],
  )
  await service.sql('insert into erasure (account_id) values (gen_random_uuid())')
  untouched = await everyRow(service)
})
afterAll(async () => {
  await service.stop()
  await issuer.stop()
  await dataDir.remove()
})

const bystander = () => fullAccount(service, admin)
const settings = () => ({ afterDays: 14, dataDir: dataDir.path, log: pino({ level: 'silent' }) })

async function loseProof(id: string): Promise<void> {
  await service.sql('update account set email_proved_at = null, email_proved_by = null where id = $1', [id])
}

type Call = readonly [method: string, path: string, body?: object]

/** Calls an operation as this user and expects success. */
async function as({ token }: Pick<Person, 'token'>, [method, path, body]: Call): Promise<Answer> {
  const headers = { 'if-match': '*' }
  const answer = await newClient(service).send(method, path, { token, headers, ...(body && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}

async function open([method, path, body]: Call): Promise<Answer> {
  return newClient(service).send(method, path, { body })
}

const users = ({ id }: Pick<Person, 'id'>, rest = '') => `/api/v1/admin/users/${id}${rest}`
const orgs = ({ orgId }: FullAccount, rest: string) => `/api/v1/orgs/${orgId}${rest}`

async function linkOf({ id }: FullAccount, purpose: LinkPurpose, address?: string): Promise<string> {
  const made = await createAccountLink(service.database, { accountId: id, purpose, lifeSeconds: 600, address })
  if (!made) throw new Error('no link was made')
  return made.token.open()
}

/** Another member of the organization. */
async function mateOf({ orgId }: FullAccount, role = 'member'): Promise<Person> {
  const mate = await service.person()
  await service.sql('insert into membership (organization_id, account_id, role_id) values ($1, $2, $3)', [
    orgId,
    mate.id,
    role,
  ])
  return mate
}

const newPassword = 'seventeen small turtles'
const again = (one: FullAccount) => ({ password: one.password })

/** Operations on an account, or by its user. */
const operations: Readonly<Record<string, (one: FullAccount) => Promise<unknown>>> = {
  'an administrator disables it': (one) => as(admin, ['POST', users(one, '/disable')]),
  'an administrator enables it': async (one) => {
    await as(admin, ['POST', users(one, '/disable')])
    await as(admin, ['POST', users(one, '/enable')])
  },
  'an administrator ends its sessions': (one) => as(admin, ['DELETE', users(one, '/sessions')]),
  'an administrator changes its role': (one) => as(admin, ['PUT', users(one, '/role'), { role: 'admin' }]),
  'an administrator acts as it': async (one) => {
    await as(admin, ['POST', users(one, '/act-as'), { reason: 'Ticket 4711' }])
    await as(admin, ['DELETE', users(one, '/act-as')])
  },
  'an administrator creates a recovery link for it': (one) => as(admin, ['POST', users(one, '/recovery'), {}]),
  'an administrator schedules its deletion and restores it': async (one) => {
    await as(admin, ['DELETE', users(one)])
    await as(admin, ['POST', users(one, '/enable')])
  },
  'an administrator deletes it': (one) => as(admin, ['DELETE', users(one), { immediately: true }]),
  'an operator changes its role': (one) => setAccountRole(administrationOf(service.database), one.id, 'admin'),
  'an operator unlocks it': ({ id }) => service.database.transaction((rows) => unlockAccount(rows, id)),
  'an operator removes its factors': ({ id }) =>
    service.database.transaction((rows) => resetFactors(rows, id, undefined)),
  'an operator changes its email': (one) => setEmail(one, false),
  'an operator sets a verified email': (one) => setEmail(one, true),
  'its user schedules the deletion and restores it': async (one) => {
    await as(one, ['POST', '/auth/account/erase'])
    const kept = await service.database.transaction((rows) => keepAccount(rows, { accountId: one.id, origin: {} }))
    expect(kept).toBe(true)
  },
  'its grace period ends': async (one) => {
    await as(one, ['POST', '/auth/account/erase'])
    await service.sql('update account set erases_at = now() where id = $1', [one.id])
    expect(await eraseDue(service.database, settings())).toBe(1)
  },
  'a backup brings it back, and it is deleted again': async ({ id }) =>
    expect(await eraseAccount(service.database, settings(), id, { isAgain: true })).toBe(true),
  'its user signs in': ({ email, password }) => open(['POST', '/auth/sign-in', { email, password }]),
  'a sign-in with a wrong password fails': ({ email }) =>
    open(['POST', '/auth/sign-in', { email, password: newPassword }]),
  'its user signs out': (one) => as(one, ['POST', '/auth/sign-out']),
  'its user signs out everywhere': (one) => as(one, ['POST', '/auth/sign-out-everywhere']),
  'its user ends another session': (one) => as(one, ['DELETE', `/auth/sessions/${one.sessionId}`]),
  'its user forgets a device': (one) => as(one, ['DELETE', `/auth/devices/${one.deviceId}`]),
  'a session is refreshed by two clients': async ({ refreshToken }) => {
    const { body } = await open(['POST', '/auth/refresh', { refresh_token: refreshToken }])
    await open(['POST', '/auth/refresh', { refresh_token: Object(body).refresh_token }])
    expect((await open(['POST', '/auth/refresh', { refresh_token: refreshToken }])).status).toBe(401)
  },
  'its user changes the password': (one) =>
    as(one, ['PUT', '/auth/password', { currentPassword: one.password, newPassword }]),
  'its user changes the language': (one) => as(one, ['PATCH', '/auth/account', { language: 'de' }]),
  'its user chooses a new password with a link': async (one) => {
    const token = await linkOf(one, 'recovery_reset_factors')
    expect((await open(['POST', '/auth/recovery/complete', { token, newPassword }])).status).toBe(200)
  },
  'its user cancels a change of email': async (one) => {
    await linkOf(one, 'email_change', `later-${one.email}`)
    await as(one, ['DELETE', '/auth/email'])
  },
  'its user changes the email and undoes it': async (one) => {
    const token = await linkOf(one, 'email_change', `new-${one.email}`)
    expect((await open(['POST', '/auth/email/confirm', { token }])).status).toBe(204)
    const undo = await linkOf(one, 'email_undo', one.email)
    expect((await open(['POST', '/auth/email/undo', { token: undo }])).status).toBeLessThan(300)
  },
  'its user verifies the first email': async (one) => {
    await loseProof(one.id)
    const token = await linkOf(one, 'email_change', `new-${one.email}`)
    expect((await open(['POST', '/auth/email/confirm', { token }])).status).toBe(204)
  },
  'its user enrols a factor': (one) => as(one, ['POST', '/auth/factors', { friendlyName: 'Tablet', ...again(one) }]),
  'its user renames a factor': (one) =>
    as(one, ['PATCH', `/auth/factors/${one.factorId}`, { friendlyName: 'Old phone' }]),
  'its user creates new recovery codes': (one) => as(one, ['POST', '/auth/recovery-codes', again(one)]),
  'an issuer verifies its email for another user': async ({ id, email }) => {
    await loseProof(id)
    await as({ token: await issuer.mint({ sub: id, email, email_verified: true }) }, ['GET', '/api/v1/user/data'])
  },
  'an invitation verifies its email for another user': async ({ id, email }) => {
    await loseProof(id)
    const made = await createSignUpInvitation(service.database, { email, provesEmail: true })
    if ('refused' in made) throw new Error(made.refused)
    const body = { email, password: newPassword, invitation: made.token.open() }
    expect((await open(['POST', '/auth/sign-up', body])).status).toBe(201)
  },
  'a token has the unverified email of another account': async ({ id }) => {
    const { email } = squatter
    for (const more of [{}, { email_verified: false }])
      await as({ token: await issuer.mint({ sub: `${id} ${Object.keys(more)}`, email, ...more }) }, [
        'GET',
        '/api/v1/user/data',
      ])
  },
  'it leaves an organization': async (one) => {
    await mateOf(one, 'owner')
    await as(one, ['POST', orgs(one, '/leave')])
  },
  'it is removed from an organization': async (one) =>
    as(await mateOf(one, 'owner'), ['DELETE', orgs(one, `/members/${one.id}`)]),
  'its role in an organization changes': async (one) =>
    as(await mateOf(one, 'owner'), ['PUT', orgs(one, `/members/${one.id}/role`), { role: 'member' }]),
  'it transfers its organization': async (one) =>
    as(one, ['POST', orgs(one, '/transfer'), { userId: (await mateOf(one)).id }]),
  'it creates and revokes an invitation': async (one) => {
    const { body } = await as(one, ['POST', orgs(one, '/invitations'), {}])
    await as(one, ['DELETE', orgs(one, `/invitations/${Object(body).id}`)])
  },
  'it requires a second factor in its organization': (one) =>
    as(one, ['PUT', orgs(one, '/security'), { requiresMfa: true }]),
  'its service key is rotated': ({ keyId }) => as(admin, ['POST', `/api/v1/admin/service-keys/${keyId}/rotate`, {}]),
  'its service key is revoked': ({ keyId }) => as(admin, ['DELETE', `/api/v1/admin/service-keys/${keyId}`]),
}

function setEmail({ id, email }: FullAccount, isProved: boolean): Promise<boolean> {
  const wanted = { accountId: id, email: `new-${email}`, isProved, outbox: undefined }
  return service.database.transaction((rows) => changeEmail(rows, wanted))
}

test.each(Object.entries(operations))('no row of any other account changes when %s', async (_, run) => {
  const one = await fullAccount(service, admin)
  await run(one)
  const rows = new Set(await everyRow(service))
  expect(untouched.filter((row) => !rows.has(row))).toEqual([])
})

/** Tables of billing, plans and the service itself. */
const withoutAccounts = [
  ...['billing_event', 'billing_sync', 'mail_hour', 'mail_share', 'plan_grant'],
  ...['plan_price', 'upkeep', 'webhook_total'],
]

test('the other accounts have a row in every table with account data', async () => {
  const filled = new Set(untouched.map(tableOf))
  expect((await tablesOf(service.fresh.sql)).filter((table) => !filled.has(table))).toEqual(withoutAccounts)
})

test('an ended session keeps the time of its end when its account loses its email', async () => {
  const one = await fullAccount(service, admin)
  const ended = 'select id, ended_at from session where account_id = $1 and ended_at is not null order by id'
  const before = await service.sql<{ id: string }>(ended, [one.id])
  await operations['an issuer verifies its email for another user']?.(one)
  const after = await service.sql<{ id: string }>(ended, [one.id])
  expect(after.filter(({ id }) => before.some((session) => session.id === id))).toEqual(before)
  expect(after.length).toBeGreaterThan(before.length)
})
