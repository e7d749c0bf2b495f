import { execFile } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import {
  type BuiltImage,
  canBuildImages,
  containerCommand,
  type Images,
  newImages,
  startContainer,
} from '../support/image.ts'

// Debian's packages and npm's are fetched and unpacked: two minutes on a machine of its own, many more on one that others use.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

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
    const [, token = ''] = /^Token: +(\S+)$/m.exec(readFileSync(join(data, 'first-admin.txt'), 'utf8')) ?? []
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

  test('a volume of another user is refused in one sentence that names it', async () => {
    const data = volumeOf(0)
    chmodSync(data, 0o755)
    expect(await refusal(withDatabase, { data })).toBe(
      'The data directory /data may not be written or read by this user: correct that, or set MUSTER_DATA_DIR to another.\n',
    )
  })

  test('a database that does not answer is one sentence, without the password of its URL', async () => {
    const env = { DATABASE_URL: 'postgres://muster:hunter2@127.0.0.1:9/muster', ...key }
    expect(await refusal(without, { data: volumeOf(10001), env })).toBe(
      'The database cannot be reached (ECONNREFUSED): check DATABASE_URL and that the server is running.\n',
    )
  })
})

/** What a container writes that does not start. */
async function refusal(
  image: BuiltImage,
  options: { readonly data: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string> {
  const [command, ...args] = containerCommand(image, options)
  const env = { PATH: process.env.PATH, ...image.environment, MUSTER_PORT: '0', ...options.env }
  const ended: unknown = await run(command, args, { env, timeout: 60_000 }).catch((error: unknown) => error)
  expect(ended).toMatchObject({ code: 1 })
  const { stdout, stderr } = ended as { stdout: string; stderr: string }
  return stdout + stderr
}

function volumeOf(user: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-volume-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chownSync(folder, user, user)
  return folder
}
