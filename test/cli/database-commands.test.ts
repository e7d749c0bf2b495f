import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../src/platform/secret.ts'
import { createPasswordAccount } from '../../src/sign-in/passwords/password-accounts.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { type Ended, type RunOptions, runMuster } from './run-muster.ts'

const encryptionKey = randomBytes(32).toString('base64')
const publicUrl = 'http://muster.test'

/** The command on a database of the test's own. */
async function musterOn(options: { empty?: boolean } = {}) {
  const fresh = await freshDatabase(options)
  onTestFinished(() => fresh.drop())
  return { fresh, muster: commandOn(fresh) }
}

function commandOn({ url }: FreshDatabase) {
  const env = { DATABASE_URL: url, MUSTER_ENCRYPTION_KEY: encryptionKey, MUSTER_PUBLIC_URL: publicUrl }
  return (command: string, more: RunOptions = {}): Promise<Ended> =>
    runMuster(command.split(' '), { ...more, env: { ...env, ...more.env } })
}

/** The command beside a running service, with one person who signs in. */
async function running() {
  const { muster, fresh } = await musterOn()
  await createPasswordAccount(fresh.database, { email: 'ada@example.com', password: new Secret('x'), roleId: 'user' })
  const service = await startService({ on: fresh, env: { MUSTER_ENCRYPTION_KEY: encryptionKey } })
  onTestFinished(() => service.stop())
  return { muster, service }
}

function linesOf({ stdout }: Ended): unknown[] {
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

describe('muster migrate', () => {
  test('prints each applied migration, and nothing the second time', async () => {
    const { muster } = await musterOn({ empty: true })
    const first = await muster('migrate')
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^001_accounts\n002_organizations\n/)
    expect(await muster('migrate')).toEqual({ code: 0, stdout: '', stderr: 'The schema is up to date.\n' })
  })

  test('other commands fail on pending migrations with one sentence and change nothing', async () => {
    const { muster, fresh } = await musterOn({ empty: true })
    const { code, stdout, stderr } = await muster('users list')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^The database has \d+ pending migrations\. Run muster migrate, or start the service\.\n$/)
    const tables = {
      name: '',
      text: `select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    }
    expect(await fresh.database.query(tables, [])).toEqual([])
  })
})

test('commands wait for a server that accepts connections only after seconds', async () => {
  const { fresh } = await musterOn()
  const { url } = await slowWay(fresh.url, 2_000)
  const { code, stdout, stderr } = await commandOn({ ...fresh, url })('users list --json')
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
})

/** A way to the server on which the first byte of the client waits. */
async function slowWay(url: string, delayMs: number): Promise<{ url: string }> {
  const target = new URL(url)
  const { hostname, port } = target
  const proxy = createServer((socket) => {
    socket.on('error', () => undefined)
    setTimeout(() => {
      const through = connect(Number(port), hostname).on('error', () => undefined)
      socket.pipe(through).pipe(socket)
    }, delayMs)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  target.port = String((proxy.address() as AddressInfo).port)
  return { url: target.href }
}

describe('muster users', () => {
  test('create reads the password from standard input, and the user can sign in with it', async () => {
    const { muster, fresh } = await musterOn()
    const made = await muster('users create --email Ada@Example.com --role admin --json', {
      input: 'correct horse battery\n',
    })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(made.stdout)).toEqual({ id: expect.any(String), email: 'ada@example.com', role: 'admin' })

    const service = await startService({ on: fresh, env: { MUSTER_ENCRYPTION_KEY: encryptionKey } })
    onTestFinished(() => service.stop())
    const body = { email: 'ada@example.com', password: 'correct horse battery' }
    expect((await service.post('/auth/sign-in', { body })).status).toBe(200)
  })

  test('create --generate-password prints a random password once, which the user must change', async () => {
    const { muster, fresh } = await musterOn()
    const { code, stdout, stderr } = await muster('users create -e ada@example.com --generate-password --json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).password).toMatch(/^[\w-]{24}$/)
    expect(stderr).toContain('expires in 7 days, and the user must change it at the first sign-in')
    await muster('users create -e bo@example.com', { input: 'correct horse battery\n' })
    const initial = { name: '', text: 'select initial_until is not null as initial from credential order by email' }
    expect(await fresh.database.query(initial, [])).toEqual([{ initial: true }, { initial: false }])
  })

  test('passwords report counts users by scheme and cost of their hash', async () => {
    const { muster, fresh } = await musterOn()
    for (const name of ['ada', 'bo'])
      await createPasswordAccount(fresh.database, {
        email: `${name}@example.com`,
        password: new Secret('x'),
        roleId: 'user',
      })
    const { code, stdout } = await muster('passwords report')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ cost: '$argon2id$v=19$m=19456,t=2,p=1', accounts: 2, isCurrent: true })
  })

  test('passwords build-list creates a list of passwords that users create rejects; expire --dry-run changes nothing', async () => {
    const { muster, fresh } = await musterOn()
    const folder = mkdtempSync(join(tmpdir(), 'list-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [source, list] = [join(folder, 'pwned.txt'), join(folder, 'breached.bin')]
    writeFileSync(source, `${createHash('sha1').update('correct horse battery').digest('hex')}:3\n`)
    const built = await muster(`passwords build-list ${source} --min-count 3 --out ${list}`)
    expect(built).toMatchObject({ code: 0, stderr: `Wrote 1 of 1 passwords to ${list}.\n` })
    const env = { MUSTER_BREACHED_PASSWORDS: list }
    const created = await muster('users create -e ada@example.com', { input: 'correct horse battery\n', env })
    expect(created).toMatchObject({ code: 1, stderr: expect.stringContaining('This password was found in a breach') })
    await createPasswordAccount(fresh.database, { email: 'b@example.com', password: new Secret('x'), roleId: 'user' })
    const old = {
      name: '',
      text: `update credential set password = $1, hashed_at = now() - interval '2 years'`,
    }
    await fresh.database.query(old, ['$2b$10$x'])
    const counted = await muster('passwords expire --scheme 2b --older-than 365d --dry-run')
    expect(counted).toMatchObject({ code: 0, stdout: 'Passwords to remove: 1.\n' })
    const kept = { name: '', text: 'select password from credential' }
    expect(await fresh.database.query(kept, [])).toEqual([{ password: '$2b$10$x' }])
  })

  describe('wrong input fails with one sentence and changes nothing', () => {
    let fresh: FreshDatabase
    beforeAll(async () => {
      fresh = await freshDatabase()
      await createPasswordAccount(fresh.database, {
        email: 'ada@example.com',
        password: new Secret('x'),
        roleId: 'user',
      })
    })
    afterAll(() => fresh.drop())

    test.each([
      [
        'users create -e Ada@example.com',
        'correct horse battery',
        /^A user with the email ada@example\.com already exists\.\n$/,
      ],
      [
        'users create -e bo@example.com -r king',
        'correct horse battery',
        /^There is no role king\. Available roles: admin, .*\.\n$/,
      ],
      [
        'users create -e bo@example.com',
        'short',
        /^This password must have at least 15 characters; four or more unrelated words .*\.\n$/,
      ],
      ['users create -e bo@example.com', '', /^Standard input is empty\. .*\n$/],
      ['users disable bo@example.com', '', /^No user has the email or ID bo@example\.com\.\n$/],
    ])('%s < %j', async (command, input, sentence) => {
      const { code, stdout, stderr } = await commandOn(fresh)(command, { input })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(sentence)
      const count = { name: '', text: 'select count(*)::int as count from account' }
      expect(await fresh.database.query(count, [])).toEqual([{ count: 1 }])
    })
  })

  test('list prints one JSON object per line, oldest first, without omissions', async () => {
    const { muster, fresh } = await musterOn()
    const insert = `insert into account (email, created_at)
      select n || '@example.com', timestamptz '2026-01-01' + n * interval '1 s' from generate_series(1, 2500) n`
    await fresh.database.query({ name: '', text: insert }, [])
    const ended = await muster('users list')
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const people = linesOf(ended)
    expect(people).toHaveLength(2_500)
    expect(people[0]).toEqual({
      id: expect.any(String),
      email: '1@example.com',
      emailProved: false,
      role: 'user',
      status: 'active',
      createdAt: expect.stringMatching(/^2026-01-01T/),
      orgs: [],
    })
    expect(people.at(-1)).toMatchObject({ email: '2500@example.com' })
  })

  test('commands ask for an ID if two users share an email', async () => {
    const { muster, fresh } = await musterOn()
    const insert = `insert into account (email, created_at) values ('a@example.com', now()), ('A@example.com', now() + interval '1 s')
      returning id`
    const [one, two] = await fresh.database.query<{ id: string }>({ name: '', text: insert }, [])
    const { code, stderr } = await muster('users disable a@example.com')
    expect(code).toBe(1)
    expect(stderr).toContain(`${one?.id}, ${two?.id}`)
    const disabled = { code: 0, stdout: `${two?.id} is now disabled.\n`, stderr: '' }
    expect(await muster(`users disable ${two?.id}`)).toEqual(disabled)
    const statuses = { name: '', text: 'select id from account where disabled_at is not null' }
    expect(await fresh.database.query(statuses, [])).toEqual([{ id: two?.id }])
    const trail = { name: '', text: 'select action, target_id from audit_event' }
    expect(await fresh.database.query(trail, [])).toEqual([{ action: 'account.disabled', target_id: two?.id }])
  })
})

describe('muster token', () => {
  test('prints only a token, which the running service accepts', async () => {
    const { muster, service } = await running()
    const ended = await muster('token --email ada@example.com')
    expect(ended).toEqual({ code: 0, stdout: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n$/), stderr: '' })
    const answer = await service.get('/api/v1/user/data', { token: ended.stdout.trim() })
    expect(answer.status).toBe(200)
  })

  test('fails for a disabled user; their older token is rejected even after they are enabled again', async () => {
    const { muster, service } = await running()
    const { stdout } = await muster('token -e ada@example.com')
    const call = () => service.get('/api/v1/user/data', { token: stdout.trim() })
    expect((await muster('users disable ada@example.com')).stdout).toBe('ada@example.com is now disabled.\n')
    expect((await call()).body).toMatchObject({ status: 401, code: 'account_disabled' })
    expect(await muster('token -e ada@example.com')).toMatchObject({ code: 1, stdout: '' })
    await muster('users enable ada@example.com')
    await expect.poll(async () => (await call()).body).toMatchObject({ status: 401, code: 'session_ended' })
    expect((await muster('token -e ada@example.com')).code).toBe(0)
  })

  test('fails for a user of another issuer, and without the built-in issuer', async () => {
    const { muster, fresh } = await musterOn()
    await fresh.database.query({ name: '', text: `insert into account (email) values ('bo@example.com')` }, [])
    const foreign = await muster('token -e bo@example.com')
    expect(foreign).toEqual({
      code: 1,
      stdout: '',
      stderr: 'bo@example.com does not sign in with the built-in issuer. Issuers of this user: none.\n',
    })
    const off = await muster('token -e bo@example.com', { env: { MUSTER_BUILT_IN_ISSUER: 'false' } })
    expect(off).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The built-in issuer is off/),
    })
  })
})

describe('muster orgs', () => {
  test('create prints the organization, and an added member can act for it', async () => {
    const { muster, service } = await running()
    const made = await muster('orgs create Engines --json')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const { id, name } = JSON.parse(made.stdout)
    expect(name).toBe('Engines')
    const added = await muster('orgs add-member Engines ada@example.com --role owner')
    expect(added).toEqual({
      code: 0,
      stdout: 'ada@example.com is now a member of Engines with the role owner.\n',
      stderr: '',
    })
    const { stdout } = await muster('token -e ada@example.com')
    expect((await service.get('/api/v1/user/data', { token: stdout.trim() })).body).toMatchObject({ orgId: id })
    expect(linesOf(await muster('orgs list'))).toEqual([
      { id, name, members: 1, createdAt: expect.stringMatching(/Z$/) },
    ])
    const again = await muster('orgs add-member Engines ada@example.com')
    const left = 'ada@example.com is already a member of Engines. Nothing was changed.\n'
    expect(again).toEqual({ code: 1, stdout: '', stderr: left })
  })
})

describe('settings', () => {
  test('wrong settings are all reported together, one per line', async () => {
    const env = { MUSTER_PORT: 'many', MUSTER_LOG_LEVEL: 'loud', DATABASE_URL: 'http://x' }
    const { code, stdout, stderr } = await runMuster(['keys', 'rotate-signing'], { env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trimEnd().split('\n')).toHaveLength(4)
    expect(stderr).not.toContain(' at ')
  })

  test('a command that needs only the database reports only wrong settings of the database', async () => {
    const env = { MUSTER_PORT: 'many', MUSTER_DATABASE_SCHEMA: 'A', DATABASE_URL: 'postgres://db.example.com/muster' }
    const { code, stderr } = await runMuster(['users', 'list'], { env })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: [
        'MUSTER_DATABASE_SCHEMA must be a name of lower-case letters, digits and _.',
        'DATABASE_URL reaches db.example.com in clear text: add sslmode=require, which verifies the certificate of the server, or set MUSTER_DATABASE_INSECURE=true where no other party can read the network.',
        '',
      ].join('\n'),
    })
  })
})
