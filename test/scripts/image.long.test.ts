import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newestMigration } from '../../src/platform/database/schema.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import {
  type BuiltImage,
  type ContainerOptions,
  canBuildImages,
  containerCommand,
  containerEnvironment,
  firstProcessOf,
  type Images,
  newImages,
  startContainer,
} from '../support/image.ts'
import { canLimitMemory, memoryLimit } from '../support/memory-limit.ts'

// Debian's packages and npm's are fetched and unpacked: two minutes on a machine of its own, many more on one that others use.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 1_800_000 })

const run = promisify(execFile)
const key = { MUSTER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }

describe.skipIf(!canBuildImages)('the image', () => {
  let images: Images
  let withDatabase: BuiltImage
  let without: BuiltImage

  beforeAll(async () => {
    images = await newImages()
    withDatabase = await images.build({ embedded: true })
    without = await images.build({ embedded: false })
  })

  afterAll(() => images?.remove())

  test('the same commit makes the same layers', async () => {
    expect((await images.build({ embedded: true, fresh: true })).layers).toEqual(withDatabase.layers)
  })

  test('it is at most 180 MB compressed with the embedded database, and 120 MB without it', () => {
    expect(withDatabase.compressedBytes).toBeLessThan(180e6)
    expect(without.compressedBytes).toBeLessThan(120e6)
  })

  test('as user 10001 on a file system that it cannot write to, it starts on an empty volume, answers the three operations, and ends at SIGTERM', async () => {
    expect(withDatabase).toMatchObject({ user: '10001:10001', command: ['muster', 'serve'] })
    const data = volumeOf(10001)
    const container = await startContainer(withDatabase, { data })
    const [, token = ''] = /^TOKEN=(\S+)$/m.exec(readFileSync(join(data, 'first-admin.txt'), 'utf8')) ?? []
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ apiKey: 'no key at all', keyType: 'api_token' })
    for (const [path, init] of [
      ['/api/v1/user/data', {}],
      ['/api/v1/admin/users/fetch', {}],
      ['/api/v1/provider/keys/validate', { method: 'POST', body }],
      ['/docs', {}],
      ['/readyz', {}],
    ] as const)
      expect((await fetch(`${container.url}${path}`, { headers, ...init })).status, path).toBe(200)
    expect(await container.stop()).toBe(0)

    // The next container of the volume goes on.
    const next = await startContainer(withDatabase, { data })
    expect((await fetch(`${next.url}/api/v1/user/data`, { headers })).status).toBe(200)
    expect(await next.stop()).toBe(0)
  })

  test('without the embedded database it serves from DATABASE_URL, and says so where there is none', async () => {
    const data = volumeOf(10001)
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    const env = { DATABASE_URL: fresh.url, ...key }
    const container = await startContainer(without, { data, env })
    expect((await fetch(`${container.url}/readyz`)).status).toBe(200)
    expect(await container.stop()).toBe(0)

    expect(await refusal(without, { data: volumeOf(10001) })).toContain('DATABASE_URL')
  })

  test('it contains Node and no other program: no shell and no package manager; with the embedded database the one shell through which initdb starts it', () => {
    expect(programsIn(without.folder)).toEqual(['/usr/local/bin/muster', '/usr/local/bin/node'])
    expect(programsIn(withDatabase.folder)).toEqual(['/bin/sh', '/usr/local/bin/muster', '/usr/local/bin/node'])
    for (const { folder } of [withDatabase, without]) {
      const packages = readdirSync(join(folder, 'app/node_modules'))
      for (const name of ['npm', 'typescript', 'vite']) expect(packages).not.toContain(name)
      expect(readFileSync(join(folder, 'etc/ssl/certs/ca-certificates.crt'), 'utf8')).toMatch(/^-----BEGIN CERTIFICATE/)
    }
  })

  test('the command of its health check, and muster doctor, run in the container without a shell', async () => {
    expect(without.healthCheck.slice(0, 3)).toEqual(['CMD', 'node', '-e'])
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    const data = volumeOf(10001)
    const env = { DATABASE_URL: fresh.url, ...key }
    const container = await startContainer(without, { data, env })
    const port = new URL(container.url).port
    const check = (asked: string) =>
      runToEnd(without, { data, env, command: without.healthCheck.slice(1).map((word) => word.replace('4600', asked)) })
    await check(port)
    // Port 9, discard: nothing answers.
    await expect(check('9')).rejects.toMatchObject({ code: 1 })
    const doctor = await runToEnd(without, { data, env, command: ['muster', 'doctor', '--json', '--only', 'database'] })
    expect(doctor.stdout).toContain('"ok"')
    expect(await container.stop()).toBe(0)
  })

  test('as any user of the group 0 it serves from DATABASE_URL; the embedded database says in one sentence that it needs a name', async () => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    const data = volumeOf(10001, 0)
    chmodSync(data, 0o770)
    const user = '1000660000:0'
    const container = await startContainer(without, { data, user, env: { DATABASE_URL: fresh.url, ...key } })
    expect((await fetch(`${container.url}/readyz`)).status).toBe(200)
    expect(await container.stop()).toBe(0)
    expect(await refusal(withDatabase, { data, user })).toContain(
      'The embedded database needs a name for the user 1000660000',
    )
  })

  test('without a volume, on a file system that it cannot write to, it says so, and a volume is all that it needs', async () => {
    expect(await refusal(withDatabase, {})).toContain(
      'The data directory /data is on a read-only file system: fix it, or set MUSTER_DATA_DIR to another.',
    )
  })

  test('ended within a migration it leaves what was done before it, and the next start completes the rest', async () => {
    const fresh = await freshDatabase({ empty: true })
    onTestFinished(() => fresh.drop())
    const other = new Client(fresh.url)
    await other.connect()
    onTestFinished(() => other.end())
    // Migration 066 makes a table of this name, and waits for what another transaction has not decided yet.
    await other.query('begin')
    await other.query('create table schema_compatibility (migration int)')
    const env = { DATABASE_URL: fresh.url, ...key }
    const [command, ...args] = containerCommand(without, { data: volumeOf(10001), env })
    const child = spawn(command, args, { env: containerEnvironment(without, { env }), stdio: 'ignore' })
    const ended = once(child, 'exit')
    onTestFinished(() => void child.kill('SIGKILL'))
    await vi.waitFor(async () => expect(await done(fresh)).toBe(65), { timeout: 60_000, interval: 100 })
    process.kill(firstProcessOf(child), 'SIGTERM')
    // A start that is interrupted has served nothing, and has nothing to drain.
    expect(await ended).not.toEqual([0, null])
    await other.query('rollback')
    expect(await done(fresh)).toBe(65)
    const container = await startContainer(without, { data: volumeOf(10001), env })
    expect(await done(fresh)).toBe(newestMigration())
    expect(await container.stop()).toBe(0)
  })

  test.skipIf(!canLimitMemory)(
    'with 64 MiB of memory it says before it is killed that this is too little',
    async () => {
      const fresh = await freshDatabase()
      onTestFinished(() => fresh.drop())
      const env = { DATABASE_URL: fresh.url, ...key }
      const { enter, remove } = memoryLimit(64 * 2 ** 20)
      // The kernel keeps the group until its last process has gone.
      onTestFinished(() => vi.waitFor(remove, { timeout: 20_000, interval: 100 }))
      const [command, ...args] = containerCommand(without, { data: volumeOf(10001), env })
      const child = spawn(enter[0], [...enter.slice(1), command, ...args], {
        env: containerEnvironment(without, { env }),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      // Its first process, because the one that started it may end without it.
      onTestFinished(() => {
        if (child.exitCode === null) process.kill(firstProcessOf(child), 'SIGKILL')
      })
      let output = ''
      child.stdout?.setEncoding('utf8').on('data', (text) => {
        output += text
      })
      await vi.waitFor(() => expect(output).toContain('This process may use 64 MiB of memory and needs 256 MiB'), {
        timeout: 60_000,
        interval: 100,
      })
    },
  )

  test('a volume of another user is refused in one sentence that names it', async () => {
    const data = volumeOf(0)
    chmodSync(data, 0o755)
    expect(await refusal(withDatabase, { data })).toBe(
      'The data directory /data cannot be written or read by this user: fix it, or set MUSTER_DATA_DIR to another.\n',
    )
  })

  test('a DATABASE_URL that is wrong is one sentence that says what is wrong with it, without its password', async () => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    const changed = (members: Partial<Pick<URL, 'password' | 'pathname'>>) =>
      Object.assign(new URL(fresh.url), members).href
    for (const [url, reason] of [
      ['postgres://muster:hunter2@127.0.0.1:9/muster', 'The database cannot be reached (ECONNREFUSED)'],
      [changed({ password: 'hunter2' }), 'The database rejected the user or the password (28P01)'],
      [changed({ pathname: '/hunter2' }), 'The server has no database with this name (3D000)'],
    ] as const) {
      const env = { DATABASE_URL: url, ...key }
      expect(await refusal(without, { data: volumeOf(10001), env })).toBe(
        `${reason}: check DATABASE_URL, and whether the server is running.\n`,
      )
    }
    const env = { DATABASE_URL: 'hunter2', ...key }
    const said = await refusal(without, { data: volumeOf(10001), env })
    expect(said).toMatch(/^[^\n]*DATABASE_URL[^\n]*\n$/)
    expect(said).not.toContain('hunter2')
  })

  test('as the first of its processes, it starts its PostgreSQL again after a kill -9, and serves', async () => {
    const data = volumeOf(10001)
    const container = await startContainer(withDatabase, { data })
    const first = firstProcessOf(container.child)
    const postmaster = () => childrenOf(first).find(isPostmaster)
    const killed = postmaster()
    if (killed === undefined) throw new Error('there is no PostgreSQL below the first process')
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(
      async () => {
        expect(postmaster()).not.toBe(killed)
        expect((await fetch(`${container.url}/readyz`)).status).toBe(200)
      },
      { timeout: 60_000, interval: 100 },
    )
    expect(await container.stop()).toBe(0)
  })
})

/** A container that ends by itself: what it writes. */
async function runToEnd(image: BuiltImage, options: ContainerOptions) {
  const [command, ...args] = containerCommand(image, options)
  return run(command, args, { env: containerEnvironment(image, options), timeout: 60_000 })
}

/** What a container writes that does not start. */
async function refusal(image: BuiltImage, options: ContainerOptions): Promise<string> {
  const ended: unknown = await runToEnd(image, options).catch((error: unknown) => error)
  expect(ended).toMatchObject({ code: 1 })
  const { stdout, stderr } = ended as { stdout: string; stderr: string }
  return stdout + stderr
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

function isPostmaster(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0', 1).join().endsWith('/postgres')
}

/** Files in the folders of programs, and the interpreters and tools that could lie elsewhere. */
function programsIn(folder: string): readonly string[] {
  return ['bin', 'sbin', 'usr/bin', 'usr/sbin', 'usr/local/bin', 'usr/local/sbin']
    .filter((path) => existsSync(join(folder, path)))
    .flatMap((path) => readdirSync(join(folder, path)).map((name) => `/${path}/${name}`))
    .sort()
}

/** The number of the newest migration that has run. */
async function done(fresh: FreshDatabase): Promise<number> {
  const [row] = await fresh
    .sql<{ newest: number }>("select coalesce(max(split_part(name, '_', 1)::int), 0) newest from muster_migration")
    .catch(() => [])
  return row?.newest ?? 0
}

function volumeOf(user: number, group = user): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-volume-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chownSync(folder, user, group)
  return folder
}
