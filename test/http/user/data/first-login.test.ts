import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash as bcrypt } from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdRows } from '../../../support/blocked.ts'
import { startIssuer as startForeignIssuer, type TestIssuer } from '../../../support/issuer.ts'
import {
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  startMailServer,
  tokenIn,
} from '../../../support/mail-server.ts'
import { firstAdminOf, muster as musterAt } from '../../../support/operator.ts'
import { origin, register, signInBy, signInOptions } from '../../../support/passkey-client.ts'
import { type Answer, type Service, serviceForTest } from '../../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let server: MailServer
let service: Service
let work: MailWork
/** Issuers whose tokens name the session, and issuers whose tokens do not. */
let naming: TestIssuer
let nameless: TestIssuer
let folder: string

beforeAll(async () => {
  server = await startMailServer()
  naming = await startForeignIssuer()
  nameless = await startForeignIssuer()
  folder = mkdtempSync(join(tmpdir(), 'muster-first-login-'))
  const rules = { algorithms: ['ES256'], audience: 'muster-api' }
  service = await startIssuer({
    env: {
      ...mailSettings(server),
      MUSTER_SIGN_UP: 'open',
      MUSTER_WEBAUTHN_ORIGINS: origin,
      MUSTER_ISSUERS: JSON.stringify([
        { issuer: naming.name, ...rules, claims: { session: 'sid' } },
        { issuer: nameless.name, ...rules },
      ]),
    },
  })
  work = await mailWorkOf(service)
})
afterAll(async () => {
  work.close()
  await service.stop()
  for (const { stop } of [server, naming, nameless]) await stop()
  rmSync(folder, { recursive: true })
})

const password = 'seventeen small turtles'
let addresses = 0
const newAddress = () => `grace${++addresses}@new.example`
const post = (path: string, body: object, to = service) => newClient(to).post(path, body)
const signIn = async (email: string, word = password, to = service) =>
  tokensOf(await newClient(to).signIn(email, word)).access

async function isFirst(token: string, to = service): Promise<unknown> {
  const { status, text, body } = await to.get('/api/v1/user/data', { token })
  expect(status, text).toBe(200)
  return Object(body).isFirstLogin
}

const muster = (args: readonly string[], input = '') => musterAt(service, args, input)

async function mailedToken(email: string): Promise<string> {
  await work.run()
  const token = server.received.filter(({ to }) => to.includes(email)).map(tokenIn)
  return token.at(-1) ?? ''
}

async function mailedSignUp(email: string, more: object = {}): Promise<Answer> {
  expect((await post('/auth/sign-up', { email })).status).toBe(202)
  return post('/auth/sign-up/confirm', { token: await mailedToken(email), password, ...more })
}

/** The tokens of the first page load and of the next sign-in. */
interface Beginning {
  readonly first: string
  readonly next: () => Promise<string>
  /** The service, if it is not the shared one. */
  readonly at?: Service
}

const thenPassword = (first: string, email: string, word = password): Beginning => ({
  first,
  next: () => signIn(email, word),
})
const byPassword = async (email: string, word = password) => thenPassword(await signIn(email, word), email, word)

let subjects = 0
const newSubject = () => `subject-${++subjects}`

async function importUser(user: object, issuer = 'https://before.example'): Promise<void> {
  const path = join(folder, `${newSubject()}.jsonl`)
  writeFileSync(path, JSON.stringify(user))
  await muster(['import', path, '--from', 'muster', '--issuer', issuer])
}

async function importedHere(user: object = {}): Promise<Beginning> {
  const email = newAddress()
  await importUser({ id: newSubject(), email, passwordHash: await bcrypt(password, 4), ...user })
  return byPassword(email)
}

async function importedElsewhere(user: object = {}): Promise<Beginning> {
  const sub = newSubject()
  await importUser({ id: sub, ...user }, naming.name)
  return { first: await naming.mint({ sub, sid: 'one' }), next: () => naming.mint({ sub, sid: 'two' }) }
}

const lastSignInAt = '2026-08-02T10:00:00Z'

/** By row of the table in docs/signing-in.md. */
const ways: Readonly<Record<string, () => Promise<Beginning>>> = {
  'Sign-up by mail, password set on Muster’s page': async () => {
    const email = newAddress()
    const answer = await mailedSignUp(email, { signIn: false })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(
      await service.sql('select from session s join account a on a.id = s.account_id where a.email = $1', [email]),
    ).toEqual([])
    return byPassword(email)
  },
  'Sign-up by mail on a page of yours that keeps the session': async () => {
    const email = newAddress()
    return thenPassword(tokensOf(await mailedSignUp(email)).access, email)
  },
  'Sign-up by mail on a page of yours that drops the session': async () => {
    const email = newAddress()
    const { access } = tokensOf(await mailedSignUp(email))
    expect((await newClient(service).post('/auth/sign-out', {}, access)).status).toBe(204)
    return byPassword(email)
  },
  'Sign-up without mail': async () => {
    const at = await serviceForTest({ env: { MUSTER_SIGN_UP: 'open' } })
    const email = newAddress()
    const { access } = tokensOf(await post('/auth/sign-up', { email, password }, at))
    return { first: access, next: () => signIn(email, password, at), at }
  },
  'Printed invitation': async () => {
    const email = newAddress()
    const invitation = (await muster(['users', 'invite', '--email', email])).trim()
    return thenPassword(tokensOf(await post('/auth/sign-up', { email, password, invitation })).access, email)
  },
  'Mailed invitation, password set on Muster’s page': async () => {
    const email = newAddress()
    await muster(['users', 'invite', '--email', email, '--mail'])
    const body = { email, password, invitation: await mailedToken(email), signIn: false }
    expect((await post('/auth/sign-up', body)).status).toBe(204)
    return byPassword(email)
  },
  'Created by an operator, with a password': async () => {
    const email = newAddress()
    await muster(['users', 'create', '--email', email], password)
    return byPassword(email)
  },
  'Created by an operator, with a generated password': async () => {
    const email = newAddress()
    const made = JSON.parse(await muster(['users', 'create', '--email', email, '--generate-password', '--json']))
    const { access } = tokensOf(await newClient(service).signIn(email, made.password))
    const body = { currentPassword: made.password, newPassword: password }
    expect((await newClient(service).send('PUT', '/auth/password', { token: access, body })).status).toBe(204)
    return thenPassword(access, email)
  },
  'Recovery before the first sign-in': async () => {
    const email = newAddress()
    await muster(['users', 'create', '--email', email, '--generate-password'])
    await post('/auth/recovery', { email })
    const body = { token: await mailedToken(email), newPassword: password }
    expect((await post('/auth/recovery/complete', body)).status).toBe(200)
    return byPassword(email)
  },
  'Passkey added after the sign-up, first sign-in with it': async () => {
    const email = newAddress()
    const { access } = tokensOf(await mailedSignUp(email))
    const { authenticator } = await register(service, access)
    const byPasskey = async () =>
      tokensOf(await signInBy(service, authenticator.get(await signInOptions(service)))).access
    return { first: await byPasskey(), next: byPasskey }
  },
  'First administrator': async () => {
    const at = await serviceForTest()
    const text = await firstAdminOf(at, folder)
    const email = 'admin@muster.local'
    const shown = (name: string) => new RegExp(`^${name}(\\S+)`, 'm').exec(text)?.[1] ?? ''
    expect(await isFirst(shown('TOKEN='), at)).toBe(false)
    const access = await signIn(email, shown('Password: +'), at)
    const body = { currentPassword: shown('Password: +'), newPassword: password }
    expect((await at.call('PUT', '/auth/password', { token: access, body })).status).toBe(204)
    return { first: access, next: () => signIn(email, password, at), at }
  },
  'Another issuer, whose tokens name the session': async () => {
    const sub = newSubject()
    return { first: await naming.mint({ sub, sid: 'one' }), next: () => naming.mint({ sub, sid: 'two' }) }
  },
  'Another issuer, whose tokens have `auth_time` only': async () => {
    const sub = newSubject()
    return { first: await nameless.mint({ sub, auth_time: 5 }), next: () => nameless.mint({ sub, auth_time: 6 }) }
  },
  'Another issuer, whose tokens have neither': async () => {
    const sub = newSubject()
    return { first: await nameless.mint({ sub }), next: () => expireFirst(sub).then(() => nameless.mint({ sub })) }
  },
  'Import without a last sign-in, signs in to Muster': () => importedHere(),
  'Import without a last sign-in, signs in to another issuer': () => importedElsewhere(),
  'Import with a last sign-in, signs in to Muster': () => importedHere({ lastSignInAt }),
  'Import with a last sign-in, signs in to another issuer': () => importedElsewhere({ lastSignInAt }),
}

/** Simulates that the first token has expired. */
const expireFirst = (sub: string) =>
  service.sql(
    `update account set first_session_until = now() where id = (select account_id from identity where issuer = $1 and subject = $2)`,
    [nameless.name, sub],
  )

const page = readFileSync(new URL('../../../../docs/signing-in.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| (.+?) \| `(true|false)`(?: until [^|]+)? \| `(true|false)` \|$/gm)].map(
  ([, way = '', first, next]) => ({ way, first: first === 'true', next: next === 'true' }),
)

describe('isFirstLogin', () => {
  test('is documented in docs/signing-in.md for every way to create an account', () => {
    expect(rows.map(({ way }) => way)).toEqual(Object.keys(ways))
  })

  test.each(rows)('$way: $first on the first page load, $next after the next sign-in', async ({ way, first, next }) => {
    const { at, ...begun } = (await ways[way]?.()) ?? { first: '', next: async () => '' }
    expect(await isFirst(begun.first, at)).toBe(first)
    expect(await isFirst(begun.first, at)).toBe(first)
    const later = await begun.next()
    expect(await isFirst(later, at)).toBe(next)
    expect(await isFirst(later, at)).toBe(next)
  })

  /** A user without a first login. */
  async function newcomer(): Promise<{ id: string; email: string }> {
    const { email, id } = await service.person({ password })
    await service.sql('update account set first_session = null where id = $1', [id])
    return { id, email }
  }

  test('is true in the session that is used first, whichever was opened first', async () => {
    const { email } = await newcomer()
    const [opened, used] = [await signIn(email), await signIn(email)]
    const refreshed = tokensOf(await newClient(service).signIn(email, password))
    expect((await post('/auth/refresh', { refresh_token: refreshed.refresh })).status).toBe(200)
    expect(await isFirst(used)).toBe(true)
    expect(await isFirst(opened)).toBe(false)
    expect(await isFirst(refreshed.access)).toBe(false)
    expect(await isFirst(used)).toBe(true)
  })

  test('is written once: later page loads change no row', async () => {
    const { id, email } = await newcomer()
    const [token, later] = [await signIn(email), await signIn(email)]
    const version = () => service.sql('select xmin::text, first_session from account where id = $1', [id])
    expect(await isFirst(token)).toBe(true)
    const written = await version()
    for (const one of [token, later, token, later]) await isFirst(one)
    expect(await version()).toEqual(written)
  })

  test('is false in a session that reads while another one is being recorded', async () => {
    const { id, email } = await newcomer()
    const token = await signIn(email)
    const held = await holdRows(service.fresh, [[`update account set first_session = 'other' where id = $1`, [id]]])
    const answered = isFirst(token)
    await held.commitOnce(answered)
    expect(await answered).toBe(false)
  })

  test('is true for exactly one of twenty concurrent sessions', async () => {
    const { id } = await newcomer()
    const tokens = await Promise.all(Array.from({ length: 20 }, () => service.tokenFor(id)))
    await service.sql('update account set first_session = null where id = $1', [id])
    const answers = await Promise.all(tokens.map((token) => isFirst(token)))
    expect(answers.filter((answer) => answer === true)).toHaveLength(1)
  })

  test('stays true for the lifetime of the first token, also after a refresh, if no claim names the session', async () => {
    const sub = newSubject()
    const [first, renewed] = [await nameless.mint({ sub }), await nameless.mint({ sub, jti: 'renewed' })]
    expect(await isFirst(first)).toBe(true)
    expect(await isFirst(renewed)).toBe(true)
    // A named session of the same user comes later.
    expect(await isFirst(await nameless.mint({ sub, auth_time: 7 }))).toBe(false)
    await expireFirst(sub)
    expect(await isFirst(renewed)).toBe(false)
  })

  test('is not cached beyond the first token', async () => {
    const sub = newSubject()
    const seconds = Math.floor(Date.now() / 1_000)
    const first = await nameless.mint({ sub, exp: seconds + 3 })
    const second = await nameless.mint({ sub })
    await isFirst(first)
    await expect.poll(() => isFirst(second)).toBe(false)
  })

  test('is returned while the database is read-only', async () => {
    const { id, email } = await newcomer()
    const [token, later] = [await signIn(email), await signIn(email)]
    // The disk of the database is full: reads continue.
    await service.sql(`
      create function refuse_change() returns trigger language plpgsql as $$
      begin raise exception using errcode = 'disk_full'; end $$`)
    await service.sql(`
      create trigger account_full before update of first_session on account for each row when (new.id = '${id}')
      execute function refuse_change()`)
    expect([await isFirst(token), await isFirst(token)]).toEqual([true, true])
    await service.sql('drop trigger account_full on account')
    expect(await isFirst(later)).toBe(true)
    await expect.poll(() => isFirst(token)).toBe(false)
  })
})
