import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples, synthetic } from '../../simulators/cloudflare/state.ts'
import { freshDatabase } from '../support/database.ts'
import { serviceForTest } from '../support/service.ts'
import { spawnMuster } from './run-muster.ts'

test('all of 300 keys, 240 of them wrong, get a verdict from a provider that locks out after 15 failures, and single checks succeed meanwhile', async () => {
  const simulator = await startCloudflareSimulator()
  onTestFinished(() => simulator.close())
  Object.assign(simulator.control, { lockOutAfter: 15, lockOutSeconds: 1 })
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const env = {
    DATABASE_URL: fresh.url,
    MUSTER_CLOUDFLARE_URL: simulator.url,
    MUSTER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    MUSTER_LOCK_OUT_WINDOW_SECONDS: '1',
  }
  const service = await serviceForTest({ env: { ...env, MUSTER_KEY_CHECKS_PER_MINUTE: '100000' }, on: fresh })
  const { token } = await service.person()
  const folder = await mkdtemp(join(tmpdir(), 'muster-keys-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'keys.csv')
  const good = [samples.userToken, samples.accountToken, samples.oldUserToken, samples.oldAccountToken]
  const keys = Array.from({ length: 300 }, (_, line) =>
    line % 5 === 4 ? good[line % 4] : synthetic('cfut_', `${line}`),
  )
  await writeFile(file, ['key', ...keys].join('\n'))
  const report = join(folder, 'report.json')
  const checkFile = async (...options: string[]) => {
    const ended = await spawnMuster(['keys', 'check', '--file', file, '-t', 'api_token', ...options], { env })
    expect(ended.stderr).toMatch(/keys to check/)
    expect(ended.stderr).not.toContain('cannot share the count of failed')
    const rows: { line: number; outcome: string; code: string }[] = JSON.parse(await readFile(report, 'utf8'))
    return { ...ended, rows }
  }

  // What the provider's bound leaves is named, and nothing else is lost.
  const first = await checkFile('--report', report, '--wait', '0')
  expect(first.code).toBe(2)
  expect(first.rows).toHaveLength(300)
  expect(new Set(first.rows.map(({ outcome, code }) => `${outcome} ${code}`))).toEqual(
    new Set(['valid valid', 'invalid not_recognised', 'undetermined provider_busy']),
  )

  let isRunning = true
  const rest = checkFile('--resume', report).finally(() => {
    isRunning = false
  })
  let single = 0
  while (isRunning) {
    const apiKey = synthetic('cfut_', `Single ${single}`)
    const answers = await Promise.all(
      [apiKey, samples.userToken].map((key) =>
        service.post('/api/v1/provider/keys/validate', { token, body: { apiKey: key, keyType: 'api_token' } }),
      ),
    )
    expect(answers.map(({ status, body }) => [status, body])).toMatchObject([
      [200, { isValid: false }],
      [200, { isValid: true }],
    ])
    single += 1
    await new Promise((done) => setTimeout(done, 500))
  }
  const { rows, code } = await rest
  expect(code).toBe(1)
  expect(rows.filter(({ outcome }) => outcome === 'valid')).toHaveLength(60)
  expect(rows.filter(({ outcome }) => outcome === 'invalid')).toHaveLength(240)
  expect(single).toBeGreaterThan(10)
})
