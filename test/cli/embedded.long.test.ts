import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { layoutOf } from '../../embedded/directory.ts'
import { livePostmaster } from '../../embedded/postmaster.ts'
import { program, spawnMuster } from './run-muster.ts'

test('commands use the embedded database with and without a running service, and leave no process behind', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-cli-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  await chmod(dataDir, 0o711) // as root, PostgreSQL runs as another user
  const env = {
    MUSTER_DATA_DIR: dataDir,
    MUSTER_PORT: '0',
    MUSTER_LAME_DUCK_SECONDS: '0',
    PATH: process.env.PATH ?? '',
  }
  const cluster = layoutOf(dataDir).cluster

  expect((await spawnMuster(['migrate'], { env })).code).toBe(0)
  expect(await livePostmaster(cluster)).toBeUndefined()
  const password = 'correct horse battery'
  expect((await spawnMuster(['users', 'create', '-e', 'ada@example.com'], { env, input: password })).code).toBe(0)

  const cut = spawn(process.execPath, [program, 'users', 'list'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  cut.stdout.destroy() // as `head` does when it has seen enough
  expect(await once(cut, 'exit')).toEqual([0, null])
  expect(await livePostmaster(cluster)).toBeUndefined()

  const service = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(service, 'exit')
  onTestFinished(async () => {
    service.kill('SIGKILL')
    await closed
  })
  const address = await addressOf(service.stdout)
  const { code, stdout } = await spawnMuster(['token', '-e', 'ada@example.com'], { env })
  expect(code).toBe(0)
  const answer = await request(`${address}/api/v1/user/data`, { headers: { authorization: `Bearer ${stdout.trim()}` } })
  expect(answer.statusCode).toBe(200)
  await answer.body.dump()

  const second = await spawnMuster(['serve'], { env })
  expect(second).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The data directory .* is in use by process \d+: .*\n$/),
  })
  service.kill('SIGTERM')
  expect(await closed).toEqual([0, null])
  expect(await livePostmaster(cluster)).toBeUndefined()
})

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const { msg, address } = JSON.parse(line)
    if (msg === 'ready') return address
  }
  throw new Error('the service ended before it was ready')
}
