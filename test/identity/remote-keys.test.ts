import type { ServerResponse } from 'node:http'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fetchJson } from '../../src/identity/issuers/fetch-json.ts'
import type { KeySet } from '../../src/identity/issuers/key-renewal.ts'
import { createRemoteKeys, keyLimits, type RemoteKeys } from '../../src/identity/issuers/remote-keys.ts'
import { usableKeys } from '../../src/identity/issuers/usable-keys.ts'
import { Problem } from '../../src/platform/problems.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { issuerForTest, newKey, type SigningKey, type TestIssuer } from '../support/issuer.ts'
import { noProxies } from '../support/no-proxies.ts'
import { serviceForTest } from '../support/service.ts'
import { startUntrustedServer } from '../support/untrusted-tls.ts'

const minute = 60_000
const hour = 60 * minute

/** The key layer over HTTP, with a controlled clock, and outcomes of many concurrent lookups. */
async function layer({ earlier, limits }: { earlier?: KeySet; limits?: { deadlineMs: number } } = {}) {
  const issuer = await issuerForTest()
  let nowMs = Date.now()
  const stored: KeySet[] = []
  let fetching: Promise<unknown> = Promise.resolve()
  const keys: RemoteKeys = createRemoteKeys({
    issuer: issuer.url,
    fetchKeys(signal) {
      const fetched = fetchJson(new URL(`${issuer.url}/.well-known/jwks.json`), { proxies: noProxies, signal })
      const usable = fetched.then((set) => usableKeys(set, ['ES256']))
      fetching = usable.catch(() => undefined)
      return usable
    },
    stored: earlier,
    store: async (set) => void stored.push(set),
    now: () => nowMs,
    log: pino({ level: 'silent' }),
    ...(limits && { limits }),
  })
  onTestFinished(() => keys.close())
  return {
    issuer,
    keys,
    stored,
    now: () => nowMs,
    advance(ms: number) {
      nowMs += ms
    },
    /** Resolves when no background fetch is running. */
    settled: () => fetching.then(() => new Promise(setImmediate)),
    /** The distinct outcomes of `count` tokens with this key id, and the number of fetches. */
    async look(count = 1, kid = issuer.keys[0]?.kid) {
      const before = issuer.asked.length
      const outcomes = await Promise.all(Array.from({ length: count }, () => outcomeOf(keys, kid)))
      return { outcomes: [...new Set(outcomes)], fetches: issuer.asked.length - before }
    },
  }
}

async function outcomeOf(keys: RemoteKeys, kid: string | undefined): Promise<string> {
  try {
    await keys.resolve({ alg: 'ES256', ...(kid !== undefined && { kid }) }, { payload: '', signature: '' })
    return 'key'
  } catch (error) {
    if (error instanceof Problem) return error.code
    return error instanceof Error && 'code' in error ? String(error.code) : 'other'
  }
}

const unknownKey = 'ERR_JWKS_NO_MATCHING_KEY'

function failing(issuer: TestIssuer): void {
  issuer.answer = (_request, response) => void response.writeHead(500).end()
}

test('503 and one fetch per second while an issuer is down from the start, until it responds', async () => {
  const { issuer, look, advance } = await layer()
  failing(issuer)
  expect(await look()).toEqual({ outcomes: ['issuer_unavailable'], fetches: 1 })
  expect(await look(50)).toEqual({ outcomes: ['issuer_unavailable'], fetches: 0 })
  advance(1_000)
  expect(await look(50)).toEqual({ outcomes: ['issuer_unavailable'], fetches: 1 })
  issuer.answer = undefined
  advance(1_000)
  expect(await look(50)).toEqual({ outcomes: ['key'], fetches: 1 })
  expect(await look(50)).toEqual({ outcomes: ['key'], fetches: 0 })
})

test('503 with the seconds until the next fetch', async () => {
  const { issuer, keys, look, advance } = await layer()
  await look()
  failing(issuer)
  advance(keyLimits.pauseMs)
  await look(1, 'made-up')
  advance(12_000)
  const lookup = keys.resolve({ alg: 'ES256', kid: 'made-up' }, { payload: '', signature: '' })
  await expect(lookup).rejects.toMatchObject({ code: 'issuer_unavailable', more: { retryAfterSeconds: 18 } })
})

test('fetches a rotated key for its first token after the pause, once for many tokens', async () => {
  const { issuer, look, advance } = await layer()
  await look()
  issuer.keys = [await newKey('ES256'), ...issuer.keys]
  expect(await look()).toEqual({ outcomes: [unknownKey], fetches: 0 })
  advance(keyLimits.pauseMs)
  expect(await look(20)).toEqual({ outcomes: ['key'], fetches: 1 })
})

test('fetches at most once in 30 seconds for 10,000 invented key ids, without affecting known keys', async () => {
  const { issuer, keys, look, advance } = await layer()
  await look()
  advance(keyLimits.pauseMs)
  const before = issuer.asked.length
  const outcomes = await Promise.all(Array.from({ length: 10_000 }, (_, n) => outcomeOf(keys, `made-up-${n}`)))
  expect(new Set(outcomes)).toEqual(new Set([unknownKey]))
  expect(issuer.asked.length - before).toBe(1)
  expect(await look(100)).toEqual({ outcomes: ['key'], fetches: 0 })
})

test('503 for unknown key ids while the issuer is down; known keys still work', async () => {
  const { issuer, look, advance } = await layer()
  await look()
  failing(issuer)
  advance(keyLimits.pauseMs)
  expect(await look(50, 'made-up')).toEqual({ outcomes: ['issuer_unavailable'], fetches: 1 })
  expect(await look(50, 'made-up')).toEqual({ outcomes: ['issuer_unavailable'], fetches: 0 })
  expect(await look(50)).toEqual({ outcomes: ['key'], fetches: 0 })
})

test('known keys work for 24 hours of outage; then 503 until the issuer is back', async () => {
  const { issuer, keys, look, advance, settled } = await layer()
  await look()
  failing(issuer)
  for (let passedMs = 0; passedMs < 24 * hour; passedMs += 5 * minute) {
    advance(5 * minute)
    expect((await look(20)).outcomes).toEqual(['key'])
    await settled()
  }
  expect(keys.state()).toBe('stale')
  advance(1_000)
  expect((await look(20)).outcomes).toEqual(['issuer_unavailable'])
  expect(keys.state()).toBe('unavailable')
  issuer.answer = undefined
  advance(1_000)
  expect(await look(20)).toEqual({ outcomes: ['key'], fetches: 1 })
  expect(keys.state()).toBe('fresh')
})

test('calls an issuer that is down once in 30 seconds, however many tokens arrive', async () => {
  const { issuer, look, advance, settled } = await layer()
  await look()
  failing(issuer)
  advance(12 * minute)
  const before = issuer.asked.length
  for (let second = 0; second < 300; second += 5) {
    await look(20)
    await look(5, 'made-up')
    await settled()
    advance(5_000)
  }
  expect(issuer.asked.length - before).toBe(10)
})

const whole = '{"keys":[]}'
const large = JSON.stringify({ keys: [], padding: 'x'.repeat(65_536) })
const refusedDocuments: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'more than 64 KiB': (response) => response.writeHead(200, { 'content-length': large.length }).end(large),
  'more than 64 KiB without a length': (response) => {
    response.writeHead(200).write(large.slice(0, 40_000))
    response.end(large.slice(40_000))
  },
  'an encoding': (response) => response.writeHead(200, { 'content-encoding': 'br' }).end(whole),
  'another status': (response) => response.writeHead(203).end(whole),
  'more than 32 levels': (response) => response.writeHead(200).end(`${'['.repeat(33)}${']'.repeat(33)}`),
}

test('requests documents as JSON, without compression, as Muster, on a separate connection', async () => {
  const issuer = await issuerForTest()
  const asked: unknown[] = []
  issuer.answer = (request, response) => {
    asked.push(request.headers)
    response.writeHead(200).end(whole)
  }
  await fetchJson(new URL(`${issuer.url}/jwks`), { proxies: noProxies, signal: AbortSignal.timeout(20_000) })
  expect(asked).toEqual([
    {
      host: new URL(issuer.url).host,
      connection: 'close',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'muster/1',
    },
  ])
})

test.each(Object.entries(refusedDocuments))('rejects a document with %s', async (_what, answer) => {
  const issuer = await issuerForTest()
  const url = new URL(`${issuer.url}/jwks`)
  issuer.answer = (_request, response) => response.writeHead(200).end(whole)
  expect(await fetchJson(url, { proxies: noProxies, signal: AbortSignal.timeout(20_000) })).toEqual({ keys: [] })
  issuer.answer = (_request, response) => answer(response)
  await expect(fetchJson(url, { proxies: noProxies, signal: AbortSignal.timeout(20_000) })).rejects.toThrow(
    /^(the (response|status)|JSON) is /,
  )
})

test.each([
  { minutes: 9, random: 0 },
  { minutes: 10, random: 0.5 },
])(
  'renews a set older than $minutes minutes, depending on its random factor, and not earlier',
  async ({ minutes, random }) => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    onTestFinished(() => void vi.restoreAllMocks())
    const { issuer, look, advance, settled } = await layer()
    await look()
    const before = issuer.asked.length
    advance(minutes * minute)
    await look()
    await settled()
    expect(issuer.asked.length - before).toBe(0)
    advance(1)
    await look()
    await settled()
    expect(issuer.asked.length - before).toBe(1)
  },
)

test('rejects tokens of a withdrawn key after the next renewal', async () => {
  const { issuer, look, advance, settled } = await layer()
  const withdrawn = issuer.keys[0]?.kid
  await look()
  issuer.keys = [await newKey('ES256')]
  advance(12 * minute)
  expect(await look(1, withdrawn)).toMatchObject({ outcomes: ['key'] }) // Starts the renewal.
  await settled()
  expect(await look(1, withdrawn)).toEqual({ outcomes: [unknownKey], fetches: 0 })
})

const huge = JSON.stringify({ keys: [], padding: 'x'.repeat(1_000_000) })
const broken: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'an empty set': (response) => response.writeHead(200).end('{"keys":[]}'),
  'no set': (response) => response.writeHead(200).end('{}'),
  'an array': (response) => response.writeHead(200).end('[]'),
  null: (response) => response.writeHead(200).end('null'),
  HTML: (response) => response.writeHead(200).end('<html>'),
  'a megabyte': (response) => response.writeHead(200).end(huge),
  'a megabyte without its length': (response) => {
    response.writeHead(200).write(huge.slice(0, 500_000))
    response.end(huge.slice(500_000))
  },
  'a redirect': (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'another success': (response) => response.writeHead(203).end('{"keys":[]}'),
  'an encoding': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  'a cut connection': (response) => response.destroy(),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"keys":')
    setImmediate(() => response.destroy())
  },
  'no answer': () => undefined,
  'half an answer and then nothing': (response) => void response.writeHead(200).write('{"keys":'),
}

const silent = ['no answer', 'half an answer and then nothing']

test.each(Object.keys(broken))('uses the keys fetched before while an issuer responds with %s', async (name) => {
  const { issuer, keys, look, advance, settled } = await layer({ limits: { deadlineMs: 1_500 } })
  await look()
  issuer.answer = (_request, response) => broken[name]?.(response)
  advance(12 * minute)
  expect(await look(20)).toMatchObject({ outcomes: ['key'] })
  // A deadline referenced only by its signal may be garbage-collected, and a request without an answer would never end.
  if (silent.includes(name)) await collectGarbage()
  await settled()
  expect(keys.state()).toBe('stale')
  expect(await look(20)).toMatchObject({ outcomes: ['key'], fetches: 0 })
  expect(issuer.asked.filter((path) => path === '/elsewhere')).toEqual([])
})

const unusable = {
  'a symmetric key': { kty: 'oct', k: 'c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0' },
  'an RSA key of 512 bits': { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(64, 255).toString('base64url') },
  'a point off its curve': {
    kty: 'EC',
    crv: 'P-256',
    x: Buffer.alloc(32, 1).toString('base64url'),
    y: Buffer.alloc(32, 2).toString('base64url'),
  },
  'a key of another algorithm': { kty: 'EC', crv: 'P-384', x: 'AA', y: 'AA' },
  'a number in place of a key': 7,
  'a key of an unknown type': { kty: 'XYZ' },
}

test.each(Object.entries(unusable))('skips %s in a set and uses the other keys', async (_name, key) => {
  const good = await newKey('ES256')
  expect(await usableKeys({ keys: [key, good.publicJwk] }, ['ES256'])).toHaveLength(1)
  await expect(usableKeys({ keys: [key] }, ['ES256', 'RS256', 'PS256'])).rejects.toThrow('no usable key')
})

test('skips keys for encryption, for signing only, and of other algorithms', async () => {
  const { publicJwk } = await newKey('ES256')
  for (const change of [{ use: 'enc' }, { key_ops: ['sign'] }, { alg: 'ES512' }, { alg: 'none' }])
    await expect(usableKeys({ keys: [{ ...publicJwk, ...change }] }, ['ES256'])).rejects.toThrow()
  expect(await usableKeys({ keys: [publicJwk, publicJwk] }, ['ES256'])).toHaveLength(1)
})

test('accepts a key that does not state its use', async () => {
  const { use: _, ...publicJwk } = (await newKey('ES256')).publicJwk
  expect(await usableKeys({ keys: [publicJwk] }, ['ES256'])).toEqual([publicJwk])
})

test('keeps only the public part of a private key published by mistake', async () => {
  const { publicJwk } = await newKey('ES256')
  expect(await usableKeys({ keys: [{ ...publicJwk, d: 'secret' }] }, ['ES256'])).toEqual([publicJwk])
})

test('rejects tokens of a key id with two keys, and uses the other keys', async () => {
  const { issuer, look } = await layer()
  issuer.keys = [await newKey('ES256', 'twin'), await newKey('ES256', 'twin'), await newKey('ES256', 'single')]
  expect(await look(1, 'twin')).toMatchObject({ outcomes: ['ERR_JWKS_MULTIPLE_MATCHING_KEYS'] })
  expect(await look(1, 'single')).toMatchObject({ outcomes: ['key'] })
})

test('uses the set of an earlier process while the issuer is down, for 24 hours after it was fetched', async () => {
  const first = await layer()
  await first.look()
  const [earlier] = first.stored
  if (!earlier) throw new Error('nothing was stored')
  const second = await layer({ earlier })
  failing(second.issuer)
  const kid = first.issuer.keys[0]?.kid
  second.advance(23 * hour)
  expect((await second.look(20, kid)).outcomes).toEqual(['key'])
  second.advance(hour + minute)
  expect((await second.look(20, kid)).outcomes).toEqual(['issuer_unavailable'])
})

test('a set stored by a node with a fast clock expires no later than one fetched now', async () => {
  const { publicJwk, kid } = await newKey('ES256')
  const { issuer, look, advance } = await layer({
    earlier: { keys: [publicJwk], requestedAtMs: Date.now() + 365 * 24 * hour },
  })
  failing(issuer)
  expect((await look(1, kid)).outcomes).toEqual(['key'])
  advance(24 * hour + minute)
  expect((await look(1, kid)).outcomes).toEqual(['issuer_unavailable'])
})

test('renews after the clock was set back', async () => {
  const { issuer, look, advance } = await layer()
  await look()
  advance(-2 * hour)
  issuer.keys = [await newKey('ES256'), ...issuer.keys]
  expect(await look(5)).toEqual({ outcomes: ['key'], fetches: 1 })
})

test('fetches a new key with a reused id after its first token fails; wrong signatures cause one fetch in 30 s', async () => {
  const issuer = await issuerForTest()
  const service = await serviceForTest({
    env: {
      MUSTER_ISSUERS: JSON.stringify([
        { issuer: issuer.name, audience: 'muster-api', algorithms: ['ES256'], keys: `${issuer.url}/jwks` },
      ]),
    },
  })
  const statusOf = async (token: string) => (await service.get('/api/v1/user/data', { token })).status
  const mint = (key?: SigningKey) =>
    issuer.mint({ jti: crypto.randomUUID() }, { now: service.clock.now(), ...(key && { key }) })
  expect(await statusOf(await mint())).toBe(200)
  const kid = issuer.keys[0]?.kid
  service.clock.advanceSeconds(31)
  issuer.keys = [await newKey('ES256', kid)]
  const before = issuer.asked.length
  const tokens = await Promise.all(Array.from({ length: 5 }, () => mint()))
  for (const status of await Promise.all(tokens.map(statusOf))) expect(status).toBe(200)
  expect(issuer.asked.length - before).toBe(1)
  const forged = await newKey('ES256', kid)
  for (let count = 0; count < 5; count += 1) expect(await statusOf(await mint(forged))).toBe(401)
  expect(issuer.asked.length - before).toBe(1)
  service.clock.advanceSeconds(31)
  for (let count = 0; count < 5; count += 1) expect(await statusOf(await mint(forged))).toBe(401)
  expect(issuer.asked.length - before).toBe(2)
})

test('fetches no keys from a server with an unverifiable certificate', async () => {
  const { url, received } = await startUntrustedServer()
  await expect(
    fetchJson(new URL(`${url}/jwks`), { proxies: noProxies, signal: AbortSignal.timeout(60_000) }),
  ).rejects.toThrow('self-signed certificate')
  expect(received).toEqual([])
})
