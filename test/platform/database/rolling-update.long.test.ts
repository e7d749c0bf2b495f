import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { migrationNames, migrationsFolder, numberOf } from '../../../src/platform/database/schema.ts'
import { freshDatabase } from '../../support/database.ts'
import { makeNewerRelease } from '../../support/newer-release.ts'
import { startService } from '../../support/service.ts'
import { connect, type ServiceProcess, startProcessOfService } from '../../support/service-process.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const program = 'dist/bundle/main.cjs'

function newerRelease(migration: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-newer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return makeNewerRelease(folder, migration)
}

async function settings() {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const issuer = {
    MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    MUSTER_PUBLIC_URL: 'http://localhost:4600',
  }
  const another = await startService({ on: fresh, env: issuer })
  const { token } = await another.person({ role: 'admin' })
  await another.stop()
  return { env: { DATABASE_URL: fresh.url, ...issuer }, headers: { authorization: `Bearer ${token}` } }
}

type Headers = Readonly<Record<string, string>>

/** Response of each call in one round. */
async function round({ url }: ServiceProcess, headers: Headers): Promise<Record<string, number>> {
  const connection = connect(url)
  const answers = {
    readyz: await connection.get('/readyz'),
    data: await connection.get('/api/v1/user/data', headers),
    list: await connection.get('/api/v1/admin/users/fetch', headers),
    change: await connection.post('/api/v1/orgs', { name: 'Engines' }, headers),
  }
  connection.close()
  return Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]))
}

const served = { readyz: 200, data: 200, list: 200, change: 201 }

test('a rolling update: the older node works before, during and after the migration of the newer node, and can restart after it', async () => {
  const newest = numberOf((await migrationNames(migrationsFolder())).at(-1))
  const { env, headers } = await settings()
  const older = await startProcessOfService(env)
  expect(await round(older, headers)).toEqual(served)

  let isMigrated = false
  const meanwhile = (async () => {
    while (!isMigrated) expect(await round(older, headers)).toEqual(served)
  })()
  // Awaited below. Until then, a failure must not end the test run.
  meanwhile.catch(() => undefined)
  const additive = `alter table account add column nickname text not null default '';
insert into schema_compatibility values (900, ${newest});`
  const newer = await startProcessOfService(env, [process.execPath, newerRelease(additive)]).finally(() => {
    isMigrated = true
  })
  await meanwhile
  await newer.logged((line) => line.msg === 'migrated')
  expect(await round(newer, headers)).toEqual(served)
  expect(await round(older, headers)).toEqual(served)
  await older.logged(({ msg }) => msg?.startsWith('a newer release has migrated the database') ?? false)

  older.child.kill('SIGTERM')
  expect(await older.ended()).toBe(0)
  expect(await round(await startProcessOfService(env), headers)).toEqual(served)
})

test('an incompatible migration: readyz of the older node is 503, and its restart fails with one sentence', async () => {
  const { env, headers } = await settings()
  const older = await startProcessOfService(env)
  const contract = 'insert into schema_compatibility values (900, 900);'
  const newer = await startProcessOfService(env, [process.execPath, newerRelease(contract)])
  expect(await round(newer, headers)).toEqual(served)
  const refused = await connect(older.url).get('/readyz')
  expect(JSON.parse(refused.text)).toMatchObject({ status: 503, code: 'schema_unsupported' })

  const child = spawn(process.execPath, [join(root, program)], {
    env: { PATH: process.env.PATH, MUSTER_PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // A start that does not exit would outlive the test.
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(text.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /^A newer release has migrated the database \(900_newer\).*: install the newer release on this node/,
    ),
  ])
})
