import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples } from '../../simulators/cloudflare/state.ts'
import { reusedDatabase } from '../support/reused-database.ts'
import { serviceForTest, testInProcess } from '../support/service.ts'
import { runMuster } from './run-muster.ts'

testInProcess('keys check --file sends a key that failed at the service a minute ago only with --fresh', async () => {
  const simulator = await startCloudflareSimulator()
  onTestFinished(() => simulator.close())
  const on = await reusedDatabase()
  onTestFinished(() => on.drop())
  const env = {
    DATABASE_URL: on.url,
    MUSTER_CLOUDFLARE_URL: simulator.url,
    MUSTER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  const service = await serviceForTest({ env, on })
  service.clock.advanceSeconds(-60)
  const { token } = await service.person()
  const body = { apiKey: samples.unknownUserToken, keyType: 'api_token' }
  const { body: verdict } = await service.post('/api/v1/provider/keys/validate', { token, body })
  expect(verdict).toMatchObject({ isValid: false })

  const folder = await mkdtemp(join(tmpdir(), 'muster-keys-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'keys.csv')
  await writeFile(file, `key\n${samples.unknownUserToken}`)
  const callsOf = async (...options: string[]) => {
    const before = simulator.received.length
    const args = ['keys', 'check', '--file', file, '-t', 'api_token', '--json', ...options]
    const ended = await runMuster(args, { env })
    expect(JSON.parse(ended.stdout)).toEqual({ provider: 'cloudflare', valid: 0, invalid: 1, undetermined: 0 })
    return simulator.received.length - before
  }
  expect([await callsOf(), await callsOf('--fresh'), await callsOf('--fresh')]).toEqual([0, 1, 0])
})
