import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { databaseLimits } from '../../../src/platform/database/limits.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { isRunningOnANode, runOnOneNode } from '../../../src/platform/database/named-locks.ts'
import { pooledDatabase } from '../../../src/platform/database/pool.ts'
import { migrationNames, migrationsFolder } from '../../../src/platform/database/schema.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { createPasswordAccount } from '../../../src/sign-in/passwords/password-accounts.ts'
import { freshDatabase } from '../../support/database.ts'
import { type PgbouncerOptions, pgbouncerVersion, startPgbouncer } from '../../support/pgbouncer.ts'
import { connect, startProcessOfService } from '../../support/service-process.ts'

const program = fileURLToPath(new URL('../../../dist/bundle/main.cjs', import.meta.url))
const password = 'correct horse'
const email = 'admin@example.com'

test('PgBouncer is installed if every check must run (apt-get install pgbouncer)', () => {
  if (process.env.CI === 'true') expect(pgbouncerVersion, 'apt-get install pgbouncer').toBeDefined()
})

const withPgbouncer = test.runIf(pgbouncerVersion !== undefined)

async function behind(options: PgbouncerOptions, settings: Readonly<Record<string, string>> = {}) {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  await createPasswordAccount(fresh.database, { email, password: new Secret(password), roleId: 'admin' })
  return {
    DATABASE_URL: await startPgbouncer(fresh.url, options),
    MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    MUSTER_PUBLIC_URL: 'http://localhost:4600',
    ...settings,
  }
}

withPgbouncer.each([
  ['transaction mode, without prepared statements', { mode: 'transaction' }, { MUSTER_PREPARED_STATEMENTS: 'false' }],
  ['session mode, with prepared statements', { mode: 'session' }, {}],
  ['session mode, without prepared statements', { mode: 'session' }, { MUSTER_PREPARED_STATEMENTS: 'false' }],
] as const)('%s: sign-in, user data, lists and changes work, also concurrently', async (_, { mode }, settings) => {
  const service = await startProcessOfService(await behind({ mode, ignoresParameters: true }, settings))
  expect(service.lines.filter(({ msg }) => msg?.startsWith('a pooler is between'))).toHaveLength(1)
  const signedIn = await connect(service.url).post('/auth/sign-in', { email, password })
  expect(signedIn.status, signedIn.text).toBe(200)
  const headers = { authorization: `Bearer ${JSON.parse(signedIn.text).access_token}` }

  await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      const connection = connect(service.url)
      const made = await connection.post('/api/v1/orgs', { name: `Engines ${number}` }, headers)
      expect(made.status, made.text).toBe(201)
      const data = await connection.get('/api/v1/user/data', headers)
      expect(data.status, data.text).toBe(200)
      const list = await connection.get('/api/v1/admin/users/fetch?limit=10', headers)
      expect(list.status, list.text).toBe(200)
    }),
  )
  for (let count = 0; count < 10; count += 1) {
    const whole = await connect(service.url).get('/api/v1/admin/users/fetch', headers)
    expect(JSON.parse(whole.text).users, whole.text).toHaveLength(1)
  }
  const own = await connect(service.url).get('/api/v1/orgs', headers)
  expect(JSON.parse(own.text).orgs).toHaveLength(20)
  expect((await connect(service.url).get('/readyz')).text).toBe('{"status":"ok"}')
})

withPgbouncer('transaction mode: a change on one node is visible to the next call on another', async () => {
  const settings = { MUSTER_PREPARED_STATEMENTS: 'false' }
  const env = await behind({ mode: 'transaction', ignoresParameters: true }, settings)
  const nodes = [await startProcessOfService(env), await startProcessOfService(env)].map(({ url }) => connect(url))
  const [one, other] = nodes
  if (!one || !other) throw new Error('there are two')
  const signedIn = await one.post('/auth/sign-in', { email, password })
  const headers = { authorization: `Bearer ${JSON.parse(signedIn.text).access_token}` }
  const orgOn = async (node: typeof one) => JSON.parse((await node.get('/api/v1/user/data', headers)).text).orgId
  for (const node of nodes) expect(await orgOn(node)).toBeUndefined()
  const { id } = JSON.parse((await one.post('/api/v1/orgs', { name: 'Engines' }, headers)).text)
  for (const node of nodes) expect(await orgOn(node)).toBe(id)
})

withPgbouncer(
  'transaction mode: of several nodes that start at the same time, one migrates and one runs the maintenance',
  async () => {
    const fresh = await freshDatabase({ empty: true })
    onTestFinished(() => fresh.drop())
    const url = await startPgbouncer(fresh.url, { mode: 'transaction', ignoresParameters: true })
    const log = pino({ level: 'silent' })
    const limits = { ...databaseLimits, connectTimeoutMs: 20_000, statementTimeoutMs: 20_000, queryTimeoutMs: 20_000 }
    const open = () => pooledDatabase({ link: { url: new Secret(url) }, limits, preparedStatements: false, log })
    const nodes = [open(), open(), open(), open()] as const
    onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.close()))))
    const migrated = await Promise.all(nodes.map((node) => migrate(node, migrationsFolder(), log)))
    expect(migrated.filter((names) => names.length > 0)).toEqual([await migrationNames(migrationsFolder())])

    let finish: () => void = () => undefined
    const [first, ...others] = nodes
    const upkeep = runOnOneNode(
      first,
      'upkeep',
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
        }),
    )
    await expect.poll(() => isRunningOnANode(others[0], 'upkeep')).toBe(true)
    // Meanwhile other transactions use every connection.
    const tried = await Promise.all(others.map((node) => runOnOneNode(node, 'upkeep', async () => 'done')))
    expect(tried).toEqual([undefined, undefined, undefined])
    finish()
    await upkeep
    expect(await runOnOneNode(others[0], 'upkeep', async () => 'done')).toBe('done')
  },
)

withPgbouncer.each([
  [
    'transaction mode, with prepared statements',
    { mode: 'transaction', ignoresParameters: true },
    /^The pooler .* MUSTER_PREPARED_STATEMENTS=false/,
  ],
  [
    'transaction mode that ignores no parameters',
    { mode: 'transaction', ignoresParameters: false },
    /^The pooler .* ignore_startup_parameters = /,
  ],
  [
    'session mode that ignores no parameters',
    { mode: 'session', ignoresParameters: false },
    /^The pooler .* ignore_startup_parameters = /,
  ],
] as const)('%s: the start fails with one sentence that names the setting', async (_, options, sentence) => {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, MUSTER_PORT: '0', ...(await behind(options)) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // A start that does not exit would outlive the test.
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  const [code] = await once(child, 'close')
  expect({ code, lines: text.trimEnd().split('\n') }).toEqual({ code: 1, lines: [expect.stringMatching(sentence)] })
})
