import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { credentialFor } from '../../key-check/simulator/recording.ts'
import { type Fault, type ProvidersSimulator, startProvidersSimulator } from '../../key-check/simulator/server.ts'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples } from '../../simulators/cloudflare/state.ts'
import { runMuster } from './run-muster.ts'

let simulator: ProvidersSimulator
let folder: string
beforeAll(async () => {
  simulator = await startProvidersSimulator()
  folder = await mkdtemp(join(tmpdir(), 'muster-probe-'))
})
beforeEach(() => {
  simulator.received.length = 0
  simulator.fault = undefined
})
afterAll(async () => {
  await simulator.close()
  await rm(folder, { recursive: true })
})

const key = 'dop_v1_8f3a61c09be7d254f17ab3c86e905d2d'
const oneDomain = { domains: [{ name: 'example.net', ttl: 1800, zone_file: '' }], links: {}, meta: { total: 1 } }
const refusal = { id: 'unauthorized', message: 'Unable to authenticate you.' }

function probe(options: readonly string[], input = key) {
  const urls = Object.entries(simulator.baseUrls).map(([id, url]) => [`MUSTER_PROVIDER_${id.toUpperCase()}_URL`, url])
  return runMuster(['providers', 'probe', ...options], { input, env: Object.fromEntries(urls) })
}

const lastAuthorization = () => String(simulator.received.at(-1)?.headers.authorization)

/** A provider that knows one key. */
const asDocumented: Fault = () =>
  lastAuthorization() === `Bearer ${key}`
    ? { status: 200, headers: { date: 'Sun, 06 Nov 1994 08:49:37 GMT' }, body: oneDomain }
    : {
        status: 401,
        headers: { 'www-authenticate': 'Bearer realm="ada", error="invalid_token"', 'x-account': 'ada' },
        body: refusal,
      }

test('exits with 0 for a valid key and an invalid made-up key, and shows no values', async () => {
  simulator.fault = asDocumented
  const { code, stdout, stderr } = await probe(['digitalocean', '--json'])
  expect(code, stderr).toBe(0)
  const { checks, ...record } = JSON.parse(stdout)
  expect(record).toEqual({
    provider: 'digitalocean',
    keyType: 'api_token',
    date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    muster: expect.stringMatching(/^\d+\.\d+\.\d+/),
  })
  const request = { method: 'GET', path: '/v2/domains?per_page=1' }
  const dated = { date: expect.any(String), 'content-type': 'application/json' }
  const shown = {
    domains: [{ name: '<string 11>', ttl: '<number>', zone_file: '<string 0>' }],
    links: {},
    meta: { total: '<number>' },
  }
  const real = {
    request,
    status: 200,
    headers: { ...dated, date: 'Sun, 06 Nov 1994 08:49:37 GMT' },
    body: shown,
    outcome: 'valid',
  }
  const madeUp = {
    request,
    status: 401,
    headers: { ...dated, 'www-authenticate': 'Bearer error="invalid_token"' },
    body: { id: '<string 12>', message: refusal.message },
    outcome: 'invalid: not_recognised',
  }
  expect(checks).toEqual([
    { key: 'real key', isValid: true, code: 'valid', comparison: 'as expected', calls: [real] },
    { key: 'made-up key', isValid: false, code: 'not_recognised', comparison: 'as expected', calls: [madeUp] },
  ])
})

test('exits with 1 for an unexpected response, and says for which key', async () => {
  const { code, stdout } = await probe(['digitalocean'], 'digitalocean-valid')
  expect(code).toBe(1)
  const [, real, madeUp] = stdout.split(/^(?:real|made-up) key$/m)
  expect(real).toMatch(
    /GET \/v2\/domains\?per_page=1\n {2}status +200\n[\s\S]* {2}outcome +valid\n\n {2}as expected: valid\n/,
  )
  expect(madeUp).toMatch(/status +418\n[\s\S]*body +"<text 30>"\n[\s\S]*differs: provider_answer_unexpected\n$/)
  const invalid = await probe(['digitalocean', '--only-real'], 'digitalocean-invalid')
  expect(invalid).toMatchObject({ code: 1, stdout: expect.stringContaining('differs: not_recognised\n') })
  simulator.fault = () => ({ status: 200, body: oneDomain })
  const anyKey = await probe(['digitalocean'])
  expect(anyKey).toMatchObject({ code: 1, stdout: expect.stringMatching(/made-up key\n[\s\S]*differs: valid\n$/) })
})

test('exits with 2 if the provider did not check a key', async () => {
  simulator.fault = () => ({ status: 429, headers: { 'retry-after': '17' }, body: {} })
  const busy = await probe(['digitalocean'])
  expect(busy.code).toBe(2)
  expect(busy.stdout).toMatch(/retry-after +17\n[\s\S]*not compared: provider_busy\n[\s\S]*Nothing was sent\.\n/)
  expect(simulator.received).toHaveLength(1)
  simulator.fault = () => 'silence'
  const unusable = await probe(['digitalocean', '--only-real'], 'two\nlines')
  expect(unusable).toMatchObject({ code: 2, stdout: expect.stringContaining('not compared: impossible_characters\n') })
})

test('announces a made-up key of the same form before sending it; --only-real skips it', async () => {
  simulator.fault = asDocumented
  const both = await probe(['digitalocean'])
  const [real, madeUp, ...others] = simulator.received.map(({ headers }) => String(headers.authorization))
  expect(real).toBe(`Bearer ${key}`)
  expect(madeUp).toMatch(/^Bearer dop_v1_[0-9a-f]{32}$/)
  expect(madeUp).not.toBe(real)
  expect(others).toEqual([])
  expect(both.stderr).toBe(
    'Sending your key to DigitalOcean for one check.\nThen sending a random key, which DigitalOcean may count as a failed sign-in. --only-real skips it.\n',
  )
  simulator.received.length = 0
  const one = await probe(['digitalocean', '--only-real'])
  expect(one).toMatchObject({ code: 0, stderr: 'Sending your key to DigitalOcean for one check.\n' })
  expect(one.stdout).not.toContain('made-up')
  expect(simulator.received).toHaveLength(1)
})

test('--record writes the output of --json to a new file that only its owner can read', async () => {
  simulator.fault = asDocumented
  const file = join(folder, 'record.json')
  const { code, stdout } = await probe(['digitalocean', '--json', '--record', file])
  expect(code).toBe(0)
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(JSON.parse(stdout))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await writeFile(file, 'mine')
  simulator.received.length = 0
  const again = await probe(['digitalocean', '--record', file])
  expect(again).toEqual({ code: 2, stdout: '', stderr: `${file} already exists. Choose another file.\n` })
  expect(await readFile(file, 'utf8')).toBe('mine')
  expect(simulator.received).toEqual([])
})

test('exits with 2 for an unsupported provider and creates no file', async () => {
  const file = join(folder, 'unsupported.json')
  const ended = await probe(['nosuch', '--record', file])
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  await expect(stat(file)).rejects.toThrow()
  expect(await probe(['digitalocean', '--onlyreal'])).toMatchObject({ code: 2, stdout: '' })
})

test('keeps names, types, codes and plain errors of a body, and hides everything that looks like a value', async () => {
  const errors = [
    { code: 10000, message: 'Authentication error' },
    { code: 73921, type: 'INVALID_KEY', status: 401, error_code: 7, errorCode: 8, count: 9 },
    { code: 12345678, message: 'No account 9f3a', error: 'The account "lovelace" is locked' },
    { message: 'No account lovelace' },
  ]
  const texts = { message: 'For ada@example.net', title: 'Key ending in d2d4', error: "Zone 'ada'", detail: 'Plain' }
  const body = { ok: false, none: null, errors, texts, 'example.net': { a1b2c3: 1 } }
  simulator.fault = () => ({ status: 400, body })
  const { stdout } = await probe(['digitalocean', '--json', '--only-real'])
  expect(JSON.parse(stdout).checks[0].calls[0].body).toEqual({
    ok: false,
    none: null,
    errors: [
      errors[0],
      { ...errors[1], count: '<number>' },
      { code: '<number>', message: '<string 15>', error: '<string 32>' },
      '<1 more>',
    ],
    texts: { message: '<string 19>', title: '<string 18>', error: '<string 10>', detail: '<string 5>' },
    '<name 5>': { '<name 1>': '<number>' },
  })
})

test('hides an ID in a path', async () => {
  simulator.fault = () => ({ status: 401, body: {} })
  const tenantId = '3f0c1b5e-7a7d-4c52-9d3b-0f6f1a2b3c4d'
  const clientId = '5d1c9a7e-1b2c-4d3e-8f90-a1b2c3d4e5f6'
  const parts = ['--part', `tenantId=${tenantId}`, '--part', `clientId=${clientId}`]
  const { stdout, stderr } = await probe(['azure', '--only-real', ...parts], 'abc8Q~0123456789')
  expect(stdout, stderr).toContain('POST /{id}/oauth2/v2.0/token\n')
  expect(stdout + stderr).not.toMatch(/3f0c1b5e|5d1c9a7e/)
})

test('shows all calls of a check without IDs and email', async () => {
  const cloudflare = await startCloudflareSimulator()
  const env = { MUSTER_CLOUDFLARE_URL: cloudflare.url }
  const options = ['-t', 'api_token', '--only-real', '--json']
  const token = await runMuster(['providers', 'probe', 'cloudflare', ...options], { input: samples.accountToken, env })
  const [check] = JSON.parse(token.stdout).checks
  const calls: { request: { path: string }; outcome: string }[] = check.calls
  expect(check).toMatchObject({ comparison: 'as expected', code: 'valid' })
  expect(calls.map(({ request, outcome }) => [request.path, outcome])).toEqual([
    ['/accounts?per_page=5', 'next_probe'],
    ['/accounts/{id}/tokens/verify', 'valid'],
  ])
  const ofUser = ['-t', 'api_key', '-e', samples.email]
  const key = await runMuster(['providers', 'probe', 'cloudflare', ...ofUser], { input: samples.oldGlobalKey, env })
  await cloudflare.close()
  expect(key.stdout).toContain('as expected: valid')
  expect(key.stdout + key.stderr).not.toContain(samples.email)
})

test('checks a key that is a file without a made-up key, and shows nothing of it', async () => {
  const recording = simulator.recordings.find(({ id }) => id === 'googlecloud')
  const answer = recording?.answers.find(({ name }) => name === 'valid')
  if (!recording || !answer) throw new Error('There is no such recording.')
  const { apiKey } = credentialFor(recording, answer)
  const { code, stdout, stderr } = await probe(['googlecloud'], apiKey)
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('as expected: valid') })
  expect(stderr).toMatch(/Sending no made-up key, because this key is a file\.\n$/)
  const file: Record<string, string> = JSON.parse(apiKey)
  for (const name of ['private_key', 'client_email', 'private_key_id'])
    expect(stdout + stderr).not.toContain(file[name]?.slice(0, 20) ?? '')
})

interface Form {
  readonly text: string
  /** From here on every character comes from the value alone. */
  readonly from: number
}

/** The forms in which a provider may repeat a value, also in base64 with other text before it. */
function formsOf(value: string): Form[] {
  if (value === '') return []
  const hex = Buffer.from(value).toString('hex')
  const whole = [value, value.toUpperCase(), encodeURIComponent(value), hex, hex.toUpperCase()]
  const base64 = ['', 'a', 'ab', 'user:'].flatMap((before) => {
    const bytes = Buffer.from(before + value)
    const from = Math.ceil((before.length * 8) / 6)
    return [bytes.toString('base64'), bytes.toString('base64url')].map((text) => ({ text, from }))
  })
  return [...whole.map((text) => ({ text, from: 0 })), ...base64]
}

/** Every way of an answer to say a text. */
function echoOf(text: string) {
  const named = { message: text, error: text, title: text, type: text, code: text, status: text, id: text }
  const pieces = { message: text.slice(0, 12), error: text.slice(-8), title: `It ends in ${text.slice(-4)}` }
  return {
    ...named,
    [text]: 1,
    [text.slice(0, 9)]: 2,
    [text.slice(7, 18)]: 3,
    list: [text, named],
    pieces,
    embedded: { error: `No ${text}.` },
  }
}

test.each([
  { id: 'digitalocean', apiKey: key, part: [], secretPart: [] },
  { id: 'digitalocean', apiKey: 'qwhXzrtpLmnbvgKjdsfyQwcNxTkgPvRz', part: [], secretPart: [] },
  // The end of its base64 looks like a word.
  { id: 'digitalocean', apiKey: 'resTtjipSitcbmVvuymgImwOnFrjGcJz', part: [], secretPart: [] },
  { id: 'simply', apiKey: 'bKq/7+vZtPlmWxYr', part: ['accountName', 'UE748213'], secretPart: [] },
  {
    id: 'route53',
    apiKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz',
    part: ['accessKeyId', 'ASIAQ7XVT2ZPLMNKRWJD'],
    secretPart: ['sessionToken', 'FwoGZXIvYXdzEJr//////////wEaDKq7vXtPlm'],
  },
])('shows and records no part of a key, whatever the provider repeats: $id, $apiKey', async (given) => {
  const { id, apiKey, part, secretPart } = given
  const file = join(folder, `canary-${apiKey.slice(0, 3)}.json`)
  const secretFile = join(folder, 'secret-part')
  await writeFile(secretFile, secretPart[1] ?? '')
  const sent = () => /^(?:Bearer|Basic) (.+)/.exec(lastAuthorization())?.[1] ?? ''
  const ownValues = [apiKey, ...part.slice(1), ...secretPart.slice(1)]
  const sentValues = new Set<string>()
  simulator.fault = () => {
    sentValues.add(sent())
    const forms = [...ownValues, sent()].flatMap(formsOf).map(({ text }) => text)
    const list = forms.slice(-3).map((form) => [form, { message: form, [form]: form }])
    return {
      status: 400,
      headers: {
        'content-type': `application/json; charset=${apiKey}`,
        'www-authenticate': `Bearer realm="${apiKey}", error="${apiKey}", error_description="${sent()}"`,
        'retry-after': apiKey,
        date: apiKey,
        location: `https://example.net/?key=${apiKey}`,
        'x-echo': forms.join(' '),
      },
      body: { list, ...Object.fromEntries(forms.map((form) => [form, echoOf(form)])) },
    }
  }
  const options = [
    ...(part[0] === undefined ? [] : ['--part', part.join('=')]),
    ...(secretPart[0] === undefined ? [] : ['--part-file', `${secretPart[0]}=${secretFile}`]),
  ]
  const plain = await probe([id, ...options, '--record', file], apiKey)
  const json = await probe([id, ...options, '--json'], apiKey)
  expect(plain.stdout, plain.stderr).toMatch(/made-up key\n[\s\S]*status +400/)
  const shown = [plain.stdout, plain.stderr, json.stdout, json.stderr, await readFile(file, 'utf8')].join('\n')
  const shownLower = shown.toLowerCase()
  const pieces = [...ownValues, ...sentValues].flatMap(formsOf).flatMap(piecesOf)
  expect(pieces.filter((piece) => shownLower.includes(piece))).toEqual([])
  expect(pieces.length).toBeGreaterThan(500)
})

/** Eight characters in a row, from every place. */
function piecesOf({ text, from }: Form): string[] {
  const count = Math.max(0, text.length - from - 7)
  return Array.from({ length: count }, (_, at) => text.slice(from + at, from + at + 8).toLowerCase())
}
