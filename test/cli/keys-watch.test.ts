import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { checkWatched, readWatchedKeys } from '../../cli/keys/watch.ts'
import { openKeyChecks } from '../../key-check/engine/check.ts'
import type { KeyChecks } from '../../key-check/index.ts'
import { faultToken } from '../../simulators/cloudflare/faults.ts'
import { type CloudflareSimulator, startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples as S } from '../../simulators/cloudflare/state.ts'

let simulator: CloudflareSimulator
let keyChecks: KeyChecks
let folder: string
beforeAll(async () => {
  simulator = await startCloudflareSimulator()
  keyChecks = await openKeyChecks({ baseUrls: { cloudflare: simulator.url } })
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-watch-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})
afterAll(async () => {
  await keyChecks.close()
  await simulator.close()
})

const cloudflare = { provider: 'cloudflare', keyType: 'api_token' }

async function read(keys: readonly object[], env: Record<string, string> = {}) {
  const path = join(folder, 'watched.json')
  await writeFile(path, JSON.stringify({ keys }))
  return readWatchedKeys(path, env)
}

/** Watches a key of each value, by environment variable. */
async function watch(values: Record<string, string>, days = 30) {
  const rows = await read(
    Object.keys(values).map((label) => ({ label, ...cloudflare, key: { env: label } })),
    values,
  )
  let output = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text
    return true
  })
  const textfile = join(folder, 'keys.prom')
  const code = await checkWatched(rows, { keyChecks, days, wait: 0, textfile, nowMs: Date.now() })
  vi.restoreAllMocks()
  return { code, output, textfile, metrics: await readFile(textfile, 'utf8') }
}

test('keys watch exits with 0 and prints nothing if all keys are valid and none expires soon', async () => {
  expect(await watch({ good: S.userToken })).toMatchObject({ code: 0, output: '' })
})

test('keys watch exits with 1 and prints a key that expires within --days, but no key that expires later', async () => {
  const soon = await watch({ good: S.userToken, ending: S.expiring })
  expect(soon.code).toBe(1)
  expect(soon.output).toMatch(/^ending \(cloudflare\): expires on \d{4}-\d\d-\d\dT[^\n]*\n$/)
  expect(soon.metrics).toMatch(
    /^muster_watched_key_expires_timestamp_seconds\{label="ending",provider="cloudflare"\} \d{10}/m,
  )
  expect(await watch({ ending: S.expiring }, 1)).toMatchObject({ code: 0, output: '' })
})

test('keys watch exits with 1 for an invalid and 2 for an undetermined key, and writes complete, readable metrics without keys', async () => {
  const dead = await watch({ good: S.userToken, dead: S.disabled })
  expect(dead.code).toBe(1)
  expect(dead.output).toMatch(/^dead \(cloudflare\): invalid: /)
  const unknown = await watch({ good: S.userToken, dead: S.disabled, unknown: faultToken('html_502') })
  expect(unknown.code).toBe(2)
  expect(unknown.output).toMatch(/^unknown \(cloudflare\): undetermined: /m)
  const sampleOf = (label: string) => `{label="${label}",provider="cloudflare"}`
  expect(unknown.metrics.match(/^muster_watched_key_(?:valid|undetermined)\{.*$/gm)).toEqual([
    `muster_watched_key_valid${sampleOf('good')} 1`,
    `muster_watched_key_valid${sampleOf('dead')} 0`,
    `muster_watched_key_undetermined${sampleOf('good')} 0`,
    `muster_watched_key_undetermined${sampleOf('dead')} 0`,
    `muster_watched_key_undetermined${sampleOf('unknown')} 1`,
  ])
  expect((await stat(unknown.textfile)).mode & 0o777).toBe(0o644)
  expect(await readdir(folder)).not.toContain('keys.prom.unfinished')
  for (const key of [S.userToken, S.disabled, faultToken('html_502')])
    expect(unknown.metrics + unknown.output).not.toContain(key)
})

test('keys watch reads keys and parts from files, and errors name a key by its label and quote no reference', async () => {
  const path = join(folder, 'secret')
  await writeFile(path, ' s3cret-value\n')
  const [row] = await read(
    [{ label: 'one', ...cloudflare, key: { file: path }, parts: { accessKeyId: { env: 'ID' } } }],
    { ID: 'AKIA' },
  )
  expect([row?.apiKey.open(), row?.parts.accessKeyId?.open()]).toEqual(['s3cret-value', 'AKIA'])

  const pasted = 'cfut_PastedHereByMistake'
  const of = (key: unknown, more = {}) => read([{ label: 'one', ...cloudflare, key, ...more }], { KEY: pasted })
  const missing = 'The key "one" has no value: its environment variable or file is missing or empty.'
  await expect(of({ env: pasted })).rejects.toThrow(missing)
  await expect(of({ file: pasted })).rejects.toThrow(missing)
  const malformed = `${join(folder, 'watched.json')} does not have the format of docs/checking-keys.md at /keys/0.`
  const members = [{ key: pasted }, { [pasted]: 1 }, { parts: { [pasted]: 1 } }]
  for (const more of members)
    expect(await of({ env: 'KEY' }, more).catch((error: Error) => error.message)).toBe(malformed)
  await expect(of({ env: 'KEY' }, { label: `the ${pasted}` })).rejects.toThrow('A label contains its key.')
})

test('keys watch rejects a file that is not JSON or is nested too deep', async () => {
  const path = join(folder, 'watched.json')
  for (const text of ['{', '['.repeat(1_000_000)]) {
    await writeFile(path, text)
    await expect(readWatchedKeys(path, {})).rejects.toThrow(`${path} is not JSON with at most 32 levels.`)
  }
})
