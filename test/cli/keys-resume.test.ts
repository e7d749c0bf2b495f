import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readKeyRows } from '../../cli/keys/key-rows.ts'
import { remainingRows } from '../../cli/keys/report.ts'
import { openKeyChecks } from '../../key-check/engine/check.ts'
import { type CloudflareSimulator, startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples as S, synthetic } from '../../simulators/cloudflare/state.ts'
import { runMuster } from './run-muster.ts'

let simulator: CloudflareSimulator
let folder: string
beforeAll(async () => {
  simulator = await startCloudflareSimulator()
})
beforeEach(async () => {
  simulator.reset()
  folder = await mkdtemp(join(tmpdir(), 'muster-resume-'))
  return () => rm(folder, { recursive: true })
})
afterAll(() => simulator.close())

type Row = Record<string, string | number>

async function check(options: readonly string[]) {
  const args = ['keys', 'check', '-t', 'api_token', '--at-once', '1', '--file', join(folder, 'keys.csv'), ...options]
  return runMuster(args, { env: { MUSTER_CLOUDFLARE_URL: simulator.url } })
}

test('--stop-after-invalid reports unchecked lines, and --resume checks only these', async () => {
  const report = join(folder, 'report.csv')
  const json = join(folder, 'report.json')
  await writeFile(
    join(folder, 'keys.csv'),
    `key,label\n${S.userToken},=1\n${S.disabled},two\n${synthetic('cfut_', 'Wrong1')},three\n${S.accountToken},four\n`,
  )
  const stopped = await check(['--report', report, '--stop-after-invalid', '1'])
  expect(stopped.code).toBe(2)
  expect(stopped.stderr).toMatch(/^4 keys to check\. This takes at least \d+ s/)
  expect(stopped.stderr).toContain('Stopped after 2 of 4 keys.')
  expect((await readFile(report, 'utf8')).match(/"undetermined","not_checked"/g)).toHaveLength(2)

  simulator.reset()
  const resumed = await check(['--resume', report, '--report', json])
  expect(resumed.code).toBe(1)
  expect(resumed.stderr).toMatch(/^2 keys to check, 2 already have a verdict\. /)
  const rows: Row[] = JSON.parse(await readFile(json, 'utf8'))
  expect(rows.map(({ line, label, outcome, code }) => [line, label, outcome, code])).toEqual([
    [2, '=1', 'valid', 'valid'],
    [3, 'two', 'invalid', 'disabled'],
    [4, 'three', 'invalid', 'not_recognised'],
    [5, 'four', 'valid', 'valid'],
  ])
  const sent = simulator.received.map(({ headers }) => headers.authorization)
  expect(sent).not.toContain(`Bearer ${S.userToken}`)
  expect(sent).not.toContain(`Bearer ${S.disabled}`)
})

test('--resume without --report updates the report in place', async () => {
  const report = join(folder, 'report.json')
  await writeFile(join(folder, 'keys.csv'), `key\n${S.userToken}\n${S.disabled}\n`)
  const busy = { line: 3, provider: 'cloudflare', keyType: 'api_token', outcome: 'undetermined', code: 'provider_busy' }
  const valid = { ...busy, line: 2, outcome: 'valid', code: 'valid', message: 'kept' }
  await writeFile(report, JSON.stringify([valid, busy]))
  expect((await check(['--resume', report])).code).toBe(1)
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject([valid, { line: 3, code: 'disabled' }])
})

const valid = { line: 2, label: 'one', provider: 'cloudflare', keyType: 'api_token', outcome: 'valid', code: 'valid' }

async function remaining(report: unknown, only?: 'undetermined') {
  const path = join(folder, 'earlier.json')
  await writeFile(path, typeof report === 'string' ? report : JSON.stringify(report))
  const keyChecks = await openKeyChecks()
  const csv = Buffer.from('key,label\na,one\nb,two\nc,three\n')
  const rows = readKeyRows(csv, keyChecks, { provider: 'cloudflare', keyType: 'api_token' })
  await keyChecks.close()
  const found = await remainingRows(rows, { resume: path, ...(only && { only }) })
  return found.rows.map(({ line }) => line)
}

test('--resume checks lines without a verdict; --only undetermined ignores lines that the report does not contain', async () => {
  const report = [valid, { ...valid, line: 3, label: 'two', outcome: 'undetermined', code: 'provider_busy' }]
  expect(await remaining(report)).toEqual([3, 4])
  expect(await remaining(report, 'undetermined')).toEqual([3])
})

test.each([
  ['whose label differs', [{ ...valid, label: 'other' }], /Line 2 of the report does not match line 2 of the file/],
  ['whose provider differs', [{ ...valid, provider: 'hetzner' }], /Line 2 of the report does not match/],
  ['with a line that the file does not have', [{ ...valid, line: 9 }], /Line 9 of the report does not match/],
  ['that is none', [{ line: 2 }], /is not a report of this command/],
  ['that is no JSON', '{', /is not a report of this command/],
  ['that is nested too deep', '['.repeat(1_000_000), /is not a report of this command/],
])('--resume rejects a report %s, so that no verdict moves to another key', async (_, report, sentence) => {
  await expect(remaining(report)).rejects.toThrow(sentence)
})
