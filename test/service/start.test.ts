import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { spawnMuster } from '../cli/run-muster.ts'
import { freshDatabase } from '../support/database.ts'

async function settings(): Promise<Record<string, string>> {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  return { DATABASE_URL: fresh.url, MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
}

test('a port in use ends the start with one sentence and an exit code, and leaves no process running', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const address = taken.address()
  const port = typeof address === 'object' && address ? String(address.port) : ''
  const { code, stderr } = await spawnMuster(['serve'], { env: { ...(await settings()), MUSTER_PORT: port } })
  expect(code).toBe(1)
  expect(stderr).toBe(
    `Port ${port} of 127.0.0.1 is in use: stop the other process, or set MUSTER_PORT to another port.\n`,
  )
})

test('a missing encryption key ends the start with one sentence, and no new key is created', async () => {
  const env = { ...(await settings()), MUSTER_PORT: '0' }
  expect((await spawnMuster(['migrate'], { env })).code).toBe(0)
  expect(
    (await spawnMuster(['users', 'create', '--email', 'ada@example.com', '--generate-password'], { env })).code,
  ).toBe(0)
  expect((await spawnMuster(['token', '--email', 'ada@example.com'], { env })).code).toBe(0)
  const other = { ...env, MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
  const { code, stderr } = await spawnMuster(['serve'], { env: other })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^The signing keys in the database cannot be decrypted: restore [^\n]+\.\n$/)
})

test('reports all invalid settings together, and starts nothing', async () => {
  const { code, stderr } = await spawnMuster(['serve'], { env: { MUSTER_PORT: 'x', MUSTER_LOG_LEVEL: 'loud' } })
  expect(code).toBe(1)
  expect(stderr.split('\n').filter((line) => line !== '')).toHaveLength(2)
})
