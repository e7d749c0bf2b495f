import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ProvidersSimulator, startProvidersSimulator } from '../../key-check/simulator/server.ts'
import { runMuster } from './run-muster.ts'

let simulator: ProvidersSimulator
let folder: string
beforeAll(async () => {
  simulator = await startProvidersSimulator()
  folder = await mkdtemp(join(tmpdir(), 'muster-parts-'))
})
afterAll(async () => {
  await simulator.close()
  await rm(folder, { recursive: true })
})

const accessKeyId = 'AKIAIOSFODNN7EXAMPLE'
const session = { accessKeyId: 'ASIAIOSFODNN7EXAMPLE', sessionToken: `FwoGZXIvYXdzE${'x'.repeat(100)}==` }

function run(options: readonly string[], input = '', more: Readonly<Record<string, string>> = {}) {
  const env = { MUSTER_PROVIDER_ROUTE53_URL: simulator.baseUrls.route53 ?? '', ...more }
  return runMuster(['keys', 'check', ...options], { input, env })
}

test('reads the parts of a key from options, and secret parts from files', async () => {
  const valid = await run(['-p', 'route53', '--part', `accessKeyId=${accessKeyId}`], 'route53-valid\n')
  expect(valid).toEqual({
    code: 0,
    stdout: 'valid  The AWS access key is valid and active; it can be used.\n',
    stderr: '',
  })
  const file = join(folder, 'session-token')
  await writeFile(file, `${session.sessionToken}\n`)
  const options = [
    '-p',
    'route53',
    '--part',
    `accessKeyId=${session.accessKeyId}`,
    '--part-file',
    `sessionToken=${file}`,
  ]
  expect(await run(options, 'route53-expired')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('has expired'),
  })
})

test('--prove asks an AWS key by a write that cannot succeed, and needs the zone and dns:edit', async () => {
  const key = ['-p', 'route53', '--part', `accessKeyId=${accessKeyId}`, '--for-zone', 'example.tk']
  const purpose = [...key, '--for-ability', 'dns:edit']
  expect(await run([...purpose, '--prove'], 'route53-read-only')).toEqual({
    code: 0,
    stdout:
      'valid  The AWS access key is valid and active; it lacks dns:edit: add the permission route53:ChangeResourceRecordSets for example.tk.\n' +
      'fits its purpose: no  It lacks dns:edit: add the permission route53:ChangeResourceRecordSets for example.tk.\n',
    stderr: '',
  })
  const writes = () => simulator.received.filter(({ method }) => method === 'POST').length
  expect(writes()).toBe(1)
  expect((await run(purpose, 'route53-read-only')).stdout).toContain('fits its purpose: unknown')
  for (const options of [
    [...key, '--prove'],
    [...purpose.slice(0, -2), '--for-ability', 'dns:read', '--prove'],
  ])
    expect(await run(options, 'route53-read-only')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--prove needs --for-zone and --for-ability dns:edit.'),
    })
  const off = { MUSTER_KEY_CHECK_PROOFS: 'false' }
  expect(await run([...purpose, '--prove'], 'route53-read-only', off)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Proofs are switched off here'),
  })
  expect(writes()).toBe(1)
})

test('names a missing part, and rejects a secret part as an argument', async () => {
  const asked = simulator.received.length
  const missing = await run(['-p', 'route53', '--json'], 'secret')
  expect(missing.code).toBe(2)
  expect(JSON.parse(missing.stdout)).toMatchObject({
    code: 'input_invalid',
    errors: [
      { pointer: '/parts/accessKeyId', detail: 'AWS: the access key ID is missing, and is required for this key.' },
    ],
  })
  const secret = await run(['-p', 'route53', '--part', 'sessionToken=abcdefgh'], 'secret')
  expect(secret).toMatchObject({ code: 2, stdout: '' })
  expect(secret.stderr).toBe('Use --part-file for sessionToken: other users of the machine can see arguments.\n')
  expect(simulator.received).toHaveLength(asked)
})

test('reads parts from columns of a file, in any case, and writes none to the report', async () => {
  const csv = [
    'label,provider,KEY,accesskeyid,sessionToken',
    `one,route53,route53-valid,${accessKeyId},`,
    `two,route53,route53-expired,${session.accessKeyId},${session.sessionToken}`,
    `${session.accessKeyId},route53,route53-unknown-id,${accessKeyId},`,
    `${accessKeyId},route53,route53-wrong-secret,${accessKeyId},`,
  ].join('\n')
  await writeFile(join(folder, 'keys.csv'), csv)
  const report = join(folder, 'report.json')
  const { code, stderr } = await run(['--file', join(folder, 'keys.csv'), '--report', report])
  const text = await readFile(report, 'utf8')
  expect(code, stderr).toBe(1)
  const rows: Record<string, string>[] = JSON.parse(text)
  expect(rows.map(({ label, outcome, code: found }) => [label, outcome, found])).toEqual([
    ['one', 'valid', 'valid'],
    ['two', 'invalid', 'expired'],
    [session.accessKeyId, 'invalid', 'unknown_part'],
    [undefined, 'invalid', 'wrong_part'],
  ])
  expect(text + stderr).not.toContain(accessKeyId)
  expect(text + stderr).not.toContain(session.sessionToken)
})
