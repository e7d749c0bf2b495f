import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forge, type Json, part, secretsFromPublicKey, signatureOf } from '../../support/forge.ts'
import { newKey, type SigningKey, startIssuer, type TestIssuer } from '../../support/issuer.ts'
import { operations, pathOf } from '../../support/openapi.ts'
import { type Service, startService } from '../../support/service.ts'

/**
 * Tokens that every operation must reject. Sources: the documents of RFC 8725, and the CVEs named beside the cases. The
 * issuers differ in algorithm, key source and the claim that names the receiver.
 */
const sharedSecret = 'a-shared-secret-of-more-than-32-characters'
const issuers: Record<'rsa' | 'ec' | 'ed' | 'mixed', TestIssuer> = Object.create(null)
const own: { rsa?: SigningKey; ec?: SigningKey; ed?: SigningKey } = {}
let service: Service
let sentinel: { readonly url: string; readonly asked: () => number; stop(): void }

beforeAll(async () => {
  issuers.rsa = await startIssuer({ alg: 'RS256' })
  // Many issuers publish keys without `alg`, so only the entry limits the algorithms.
  issuers.rsa.keys = issuers.rsa.keys.map(withoutAlgorithm)
  issuers.ec = await startIssuer({ alg: 'ES256' })
  issuers.ed = await startIssuer({ alg: 'EdDSA' })
  issuers.mixed = await startIssuer({ alg: 'ES256' })
  own.rsa = await newKey('RS256')
  own.ec = await newKey('ES256')
  own.ed = await newKey('EdDSA')
  sentinel = await startSentinel()
  service = await startService({
    env: {
      STRIPE_SECRET_KEY: 'sk_test_never_used', // With it, buying is available too and requires a token like everything else.
      MUSTER_ISSUERS: JSON.stringify([
        { issuer: issuers.rsa.name, algorithms: ['RS256'], audience: 'muster-api', typ: 'at+jwt', trustsEmail: true },
        {
          issuer: issuers.ec.name,
          keys: `${issuers.ec.url}/jwks`,
          algorithms: ['ES256'],
          party: { claim: 'azp', oneOf: ['https://app.example'] },
        },
        {
          issuer: issuers.ed.name,
          keys: { keys: issuers.ed.keys.map(({ publicJwk }) => publicJwk) },
          algorithms: ['EdDSA'],
          audience: 'muster-api',
          exactly: { token_use: 'access' },
          present: ['scp'],
        },
        { issuer: issuers.mixed.name, algorithms: ['ES256', 'HS256'], secret: sharedSecret, audience: 'muster-api' },
      ]),
    },
  })
})
afterAll(async () => {
  await service.stop()
  for (const issuer of Object.values(issuers)) await issuer.stop()
  sentinel.stop()
})

function withoutAlgorithm({ publicJwk: { alg: _alg, ...publicJwk }, ...key }: SigningKey): SigningKey {
  return { ...key, publicJwk }
}

type Kind = keyof typeof issuers
const kinds: readonly Kind[] = ['rsa', 'ec', 'ed', 'mixed']

function headerOf(kind: Kind): Json {
  const [key] = issuers[kind].keys
  return { alg: key?.alg, kid: key?.kid, ...(kind === 'rsa' && { typ: 'at+jwt' }) }
}

function claimsOf(kind: Kind): Json {
  const party = { aud: undefined, azp: 'https://app.example' }
  const more = { rsa: {}, ec: party, ed: { token_use: 'access', scp: 'read' }, mixed: {} }
  return { ...issuers[kind].claims(), ...more[kind] }
}

function keyOf(kind: Kind): SigningKey {
  const [key] = issuers[kind].keys
  if (!key) throw new Error('no key')
  return key
}

function attackerKey(kind: Kind): SigningKey {
  const key = { rsa: own.rsa, ec: own.ec, ed: own.ed, mixed: own.ec }[kind]
  if (!key) throw new Error('no key')
  return key
}

const good = (kind: Kind) => forge(headerOf(kind), claimsOf(kind), keyOf(kind))

/** Wrong claims, correctly signed. */
function claimForgeries(kind: Kind): Record<string, unknown> {
  const { name } = issuers[kind]
  const seconds = Math.floor(Date.now() / 1_000)
  const changes: Record<string, Json> = {
    'iss missing': { iss: undefined },
    'iss null': { iss: null },
    'iss empty': { iss: '' },
    'iss number': { iss: 7 },
    'iss array with the issuer': { iss: [name] },
    'iss object': { iss: { [name]: name } },
    'iss with a slash': { iss: `${name}/` },
    'iss with a space': { iss: ` ${name}` },
    'iss in capitals': { iss: name.toUpperCase() },
    'iss with a query': { iss: `${name}?` },
    'iss of another issuer': { iss: issuers[kind === 'rsa' ? 'ec' : 'rsa'].name },
    'iss of the built-in issuer': { iss: 'http://muster.test' },
    'iss as stored for the built-in issuer': { iss: 'urn:muster:issuer' },
    'iss of an unconfigured issuer': { iss: sentinel.url },
    'iss __proto__': { iss: '__proto__' },
    'iss constructor': { iss: 'constructor' },
    'exp missing': { exp: undefined },
    'exp null': { exp: null },
    'exp text': { exp: String(seconds + 600) },
    'exp array': { exp: [seconds + 600] },
    'exp past': { exp: seconds - 60 },
    'exp zero': { exp: 0 },
    'exp negative': { exp: -1 },
    'exp 1e300': { exp: 1e300 },
    'exp in a year': { exp: seconds + 365 * 86_400 },
    'exp in milliseconds': { exp: Date.now() + 600_000 },
    'nbf in the future': { nbf: seconds + 60 },
    'nbf text': { nbf: String(seconds - 60) },
    'iat in the future': { iat: seconds + 60 },
    'iat text': { iat: String(seconds) },
    'iat negative': { iat: -5 },
    'iat 1e300': { iat: 1e300 },
    'sub missing': { sub: undefined },
    'sub null': { sub: null },
    'sub empty': { sub: '' },
    'sub number': { sub: 7 },
    'sub array': { sub: ['ada'] },
    'sub object': { sub: { id: 'ada' } },
    'sub boolean': { sub: true },
    'sub of 256 characters': { sub: 'x'.repeat(256) },
    'sub with NUL': { sub: 'ada\0' },
    'sub with a line feed': { sub: 'ada\n' },
    'sub with half a character': { sub: 'ada\ud800' },
    'a logout token (OIDC Back-Channel Logout §2.4)': {
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    },
    'a security event token (RFC 8417)': { events: { 'https://schemas.openid.net/secevent/risc': {} } },
    'nonce of an ID token': { nonce: 'n' },
    'nonce null': { nonce: null },
    'at_hash of an ID token': { at_hash: 'x' },
    'c_hash of an ID token': { c_hash: 'x' },
    ...(kind === 'ec' ? partyChanges : audienceChanges),
    ...(kind === 'ed' && {
      'token_use missing': { token_use: undefined },
      'token_use id': { token_use: 'id' },
      'token_use as a list': { token_use: ['access'] },
      'scp missing': { scp: undefined },
      'scp empty': { scp: '' },
    }),
  }
  return Object.fromEntries(
    Object.entries(changes).map(([what, change]) => [
      what,
      forge(headerOf(kind), { ...claimsOf(kind), ...change }, keyOf(kind)),
    ]),
  )
}

const audienceChanges: Record<string, Json> = {
  'aud missing': { aud: undefined },
  'aud null': { aud: null },
  'aud empty': { aud: '' },
  'aud other': { aud: 'other' },
  'aud list without us': { aud: ['other', 'another'] },
  'aud empty list': { aud: [] },
  'aud list in a list': { aud: [['muster-api']] },
  'aud object': { aud: { 'muster-api': true } },
  'aud number': { aud: 7 },
  'aud in capitals': { aud: 'MUSTER-API' },
  'aud longer': { aud: 'muster-api.evil' },
  'aud with a space': { aud: 'muster-api ' },
  'aud both in one text': { aud: 'other muster-api' },
}

const partyChanges: Record<string, Json> = {
  'azp missing': { azp: undefined },
  'azp null': { azp: null },
  'azp empty': { azp: '' },
  'azp other': { azp: 'https://evil.example' },
  'azp as a list': { azp: ['https://app.example'] },
  'azp with a slash': { azp: 'https://app.example/' },
  'azp longer': { azp: 'https://app.example.evil' },
}

/** Headers signed by the issuer, or signatures by another key. */
function headerForgeries(kind: Kind): Record<string, unknown> {
  const header = headerOf(kind)
  const claims = claimsOf(kind)
  const key = keyOf(kind)
  const attacker = attackerKey(kind)
  const byAttacker = (change: Json) => forge({ ...header, ...change }, claims, attacker)
  const bySelf = (change: Json) => forge({ ...header, ...change }, claims, key)
  const [head = '', body = '', signature = ''] = good(kind).split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const unsigned = (alg: unknown, end = '') => `${part({ ...header, alg })}.${body}.${end}`
  return {
    // CVE-2015-9235 and its many variants.
    ...Object.fromEntries(['none', 'None', 'NONE', 'nOnE', '', null, 0].map((alg) => [`alg ${alg}`, unsigned(alg)])),
    'alg none with the signature of another token': unsigned('none', signature),
    'alg missing': unsigned(undefined, signature),
    'alg as a list': unsigned([header.alg], signature),
    // CVE-2023-48223, CVE-2026-34950, GHSA-ww5h-9m49-7xx4, GHSA-g3jj-5cmm-3hxx, GHSA-gmvf-9v4p-v8jc, GHSA-8wpc-h4q6-8fxv
    ...Object.fromEntries(
      secretsFromPublicKey(key).flatMap((secret, n) =>
        ['HS256', 'HS384', 'HS512'].map((alg) => [
          `${alg} with public secret ${n}`,
          forge({ ...header, alg }, claims, secret),
        ]),
      ),
    ),
    // The issuer's own key with an algorithm that the entry does not allow.
    ...(kind === 'rsa' && { RS512: bySelf({ alg: 'RS512' }), PS256: bySelf({ alg: 'PS256' }) }),
    ...(kind === 'rsa' && {
      'typ missing': bySelf({ typ: undefined }),
      'typ JWT': bySelf({ typ: 'JWT' }),
      'typ longer': bySelf({ typ: 'at+jwt+evil' }),
    }),
    // RFC 8725bis §3.11: other kinds of tokens, also if the entry requires no type.
    'typ of an ID token': bySelf({ typ: 'id_token+jwt' }),
    'typ of a logout token': bySelf({ typ: 'logout+jwt' }),
    'typ of a logout token, in full and in capitals': bySelf({ typ: 'application/LOGOUT+JWT' }),
    'typ of an event': bySelf({ typ: 'secevent+jwt' }),
    'typ of a proof': bySelf({ typ: 'dpop+jwt' }),
    'typ of a key binding': bySelf({ typ: 'kb+jwt' }),
    'typ as a list': bySelf({ typ: ['at+jwt'] }),
    // A key of the attacker.
    'another key under the same id': byAttacker({}),
    'another key under its own id': byAttacker({ kid: attacker.kid }),
    'another key without an id': byAttacker({ kid: undefined }),
    'jwk in the header (CVE-2018-0114)': byAttacker({ kid: attacker.kid, jwk: attacker.publicJwk }),
    'jwk in the header under the known id': byAttacker({ jwk: { ...attacker.publicJwk, kid: key.kid } }),
    'jku in the header': byAttacker({ jku: `${sentinel.url}/jwks.json` }),
    'jku with another id': byAttacker({ kid: 'z', jku: `${sentinel.url}/jwks.json` }),
    'x5u in the header': byAttacker({ x5u: `${sentinel.url}/cert.pem` }),
    'x5c in the header': byAttacker({ x5c: ['MIIB'] }),
    'kid as an address': byAttacker({ kid: `${sentinel.url}/jwks.json` }),
    'kid as a path': forge({ alg: 'HS256', kid: '../../../../dev/null' }, claims, ''),
    'kid as SQL': byAttacker({ kid: "x' union select 'secret" }),
    'kid as a number': byAttacker({ kid: 7 }),
    'kid as a list': byAttacker({ kid: [key.kid] }),
    'kid as an object': byAttacker({ kid: { $ne: null } }),
    'kid __proto__': byAttacker({ kid: '__proto__' }),
    'kid empty': byAttacker({ kid: '' }),
    'kid of 5,000 characters': byAttacker({ kid: 'k'.repeat(5_000) }),
    'a valid signature of another issuer': forge(
      headerOf(kind === 'ed' ? 'ec' : 'ed'),
      claims,
      keyOf(kind === 'ed' ? 'ec' : 'ed'),
    ),
    // Headers that change what is signed.
    'crit unknown': bySelf({ crit: ['exp'], exp: 1 }),
    'crit empty': bySelf({ crit: [] }),
    'crit without its member': bySelf({ crit: ['b64'] }),
    'b64 false (RFC 7797 §7: not for tokens)': bySelf({ b64: false, crit: ['b64'] }),
    'header is a list': forge([header], claims, key),
    'header is a text': forge('"x"', claims, key),
    'header is not JSON': forge('{', claims, key),
    'payload is a list': forge(header, [claims], key),
    'payload is null': forge(header, 'null', key),
    'payload is a text': forge(header, '"ada"', key),
    'payload is not JSON': forge(header, '{"sub":', key),
    'payload is not UTF-8': forge(header, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), key),
    'payload in UTF-16': forge(header, Buffer.from(JSON.stringify(claims), 'utf16le'), key),
    'payload is a token': forge({ ...header, cty: 'JWT' }, good(kind), key),
    // Signatures
    'signature empty': `${head}.${body}.`,
    'signature of zeros (CVE-2022-21449)': `${head}.${body}.${Buffer.alloc(bytes.length).toString('base64url')}`,
    'signature cut': `${head}.${body}.${bytes.subarray(0, -1).toString('base64url')}`,
    'signature longer': `${head}.${body}.${Buffer.concat([bytes, Buffer.of(0)]).toString('base64url')}`,
    'signature with one bit changed': `${head}.${body}.${flipped(bytes).toString('base64url')}`,
    'signature of the same claims elsewhere': `${head}.${body}.${signatureOf(`${head}.${body}.`, key.alg, key)}`,
    'payload exchanged': `${head}.${part({ ...claims, sub: 'eve' })}.${signature}`,
    'header exchanged': `${part({ ...header, x: 1 })}.${body}.${signature}`,
    ...(kind === 'ec' && { 'signature in DER': `${head}.${body}.${derOf(bytes).toString('base64url')}` }),
    // Not the compact form (RFC 8725bis §3.14).
    padding: `${head}.${body}.${signature}=`,
    'base64 instead of base64url': `${head}.${body}.${bytes.toString('base64').replaceAll('=', '')}+/`,
    'a part more': `${head}.${body}.${signature}.`,
    'a part more, filled': `${head}.${body}.${signature}.${signature}`,
    'a part less': `${head}.${body}`,
    'JSON serialisation': JSON.stringify({ protected: head, payload: body, signature }),
    'a comma and another token': `${good(kind)},${good(kind)}`,
    'a line feed percent-encoded': `${head}.${body}.${signature}%0a`,
  }
}

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(10) ^ 1, 10)
  return changed
}

function derOf(raw: Buffer): Buffer {
  const integer = (part: Buffer) => Buffer.concat([Buffer.of(2, part.length + 1, 0), part])
  const both = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))])
  return Buffer.concat([Buffer.of(0x30, both.length), both])
}

/** Encrypted tokens are never decrypted or decompressed. */
function encrypted(): Record<string, string> {
  const five = (header: Json) => `${part(header)}.${part('key')}.${part('iv')}.${part('{}')}.${part('tag')}`
  return {
    'JWE with two thousand million rounds (CVE-2022-36083)': five({
      alg: 'PBES2-HS256+A128KW',
      enc: 'A128GCM',
      p2s: 'c2FsdA',
      p2c: 2 ** 31,
    }),
    'JWE packed (CVE-2024-28176)': five({ alg: 'dir', enc: 'A128GCM', zip: 'DEF' }),
    'JWE of claims (CVE-2023-51774)': five({ alg: 'RSA-OAEP', enc: 'A256GCM', kid: issuers.rsa.keys[0]?.kid }),
    'only dots': '.'.repeat(15_000),
    'two dots': '..',
    'three letters': 'a.b.c',
    'nothing but a header': part({ alg: 'RS256' }),
    'a random text': 'x'.repeat(500),
  }
}

interface Target {
  readonly id: string
  readonly method: string
  readonly path: string
}

const userData: Target = { id: 'getUserData', method: 'GET', path: '/api/v1/user/data' }

const targets: readonly Target[] = operations
  .filter(({ needsCaller }) => needsCaller)
  .map((operation) => ({ id: operation.id, method: operation.method, path: pathOf(operation) }))

async function statusOf({ method, path }: Target, authorization: string): Promise<{ status: number; code: string }> {
  const answer = await request(`${service.url}${path}`, { method: method as 'GET', headers: { authorization } })
  const body: unknown = JSON.parse(await answer.body.text())
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : ''
  return { status: answer.statusCode, code }
}

const refusals = ['token_invalid', 'token_expired', 'token_malformed', 'token_missing', 'headers_too_large']

/** Sends every token over HTTP to one operation. Returns the responses that are not the expected rejection. */
async function notRefused(tokens: Readonly<Record<string, unknown>>): Promise<string[]> {
  const judged = await inBatches(Object.entries(tokens), async ([what, token]) =>
    faultOf(what, await statusOf(userData, `Bearer ${token}`)),
  )
  return judged.flat()
}

/** Every token goes to this many operations in turn, so that every operation gets about 20 tokens. */
const operationsOfToken = 10

/** The same for every operation that requires a token, without the network, which takes a tenth of the time. */
async function notRefusedAnywhere(tokens: Readonly<Record<string, unknown>>): Promise<string[]> {
  const pairs = Object.entries(tokens).flatMap(([what, token], row) =>
    Array.from({ length: operationsOfToken }, (_, column) => {
      const target = targets[(row * operationsOfToken + column) % targets.length] ?? userData
      return { what, token, target }
    }),
  )
  const judged = await inBatches(pairs, async ({ what, token, target: { id, method, path } }) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await service.app.inject({ method: method as 'GET', url: path, headers, authority: 'muster.test' })
    return faultOf(`${id}: ${what}`, { status: answer.statusCode, code: answer.json().code })
  })
  return judged.flat()
}

function faultOf(what: string, { status, code }: { status: number; code: string }): string[] {
  return [401, 431].includes(status) && refusals.includes(code) ? [] : [`${what}: ${status} ${code}`]
}

async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += 50) results.push(...(await Promise.all(items.slice(at, at + 50).map(work))))
  return results
}

describe.each(kinds)('an issuer with %s keys', (kind) => {
  test('has its valid token accepted by every operation, so the rejections below prove something', async () => {
    for (const { method, path } of targets) {
      const headers = { authorization: `Bearer ${good(kind)}` }
      const { statusCode } = await service.app.inject({
        method: method as 'GET',
        url: path,
        headers,
        authority: 'muster.test',
      })
      expect(statusCode, path).not.toBe(401)
    }
  })

  test('has no token with wrong claims accepted', async () => {
    expect(await notRefused(claimForgeries(kind))).toEqual([])
  })

  test('has no token with another header, signature or form accepted', async () => {
    expect(await notRefused(headerForgeries(kind))).toEqual([])
  })
})

test('has none of more than 200 tokens accepted by any operation', async () => {
  const forged = (kind: Kind) =>
    Object.entries({ ...headerForgeries(kind), ...claimForgeries(kind) }).map(([what, token]) => [
      `${kind}: ${what}`,
      token,
    ])
  const tokens = Object.fromEntries([...forged('rsa'), ...forged('ed')].slice(0, 220))
  expect(targets.length).toBeGreaterThan(10)
  expect(Object.keys(tokens).length).toBeGreaterThan(200)
  expect(await notRefusedAnywhere(tokens)).toEqual([])
})

test('has no encrypted or meaningless token accepted', async () => {
  expect(await notRefused(encrypted())).toEqual([])
})

test('rejects all modified tokens of the built-in issuer', async () => {
  const { token } = await service.person({ role: 'admin' })
  const [head = '', body = '', signature = ''] = token.split('.')
  const header: Json = JSON.parse(Buffer.from(head, 'base64url').toString())
  const claims: Json = JSON.parse(Buffer.from(body, 'base64url').toString())
  const key = attackerKey('ed')
  const wrong = await notRefused({
    'another key': forge(header, claims, key),
    'another key in the header': forge({ ...header, jwk: key.publicJwk }, claims, key),
    'signed by a foreign issuer': forge({ ...header, kid: issuers.ed.keys[0]?.kid }, claims, keyOf('ed')),
    'another person': `${head}.${part({ ...claims, sub: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f' })}.${signature}`,
    'another session': `${head}.${part({ ...claims, sid: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f' })}.${signature}`,
    'without session': `${head}.${part({ ...claims, sid: undefined })}.${signature}`,
    'a longer life': `${head}.${part({ ...claims, exp: 4_000_000_000 })}.${signature}`,
    'no signature': `${head}.${body}.`,
  })
  expect(wrong).toEqual([])
})

test('rejects a token of the built-in issuer without a session, because it could not be revoked', async () => {
  const { token } = await service.person()
  const [head = '', body = ''] = token.split('.')
  const header: Json = JSON.parse(Buffer.from(head, 'base64url').toString())
  const claims: Json = JSON.parse(Buffer.from(body, 'base64url').toString())
  const { issuer } = service.parts
  if (!issuer) throw new Error('the built-in issuer is disabled')
  const { privateKey } = await issuer.keys.signing()
  const signed = (changed: Json) =>
    new SignJWT({ ...claims, ...changed }).setProtectedHeader({ ...header, alg: 'EdDSA' }).sign(privateKey)
  expect((await statusOf(userData, `Bearer ${await signed({})}`)).status).toBe(200)
  for (const sid of [undefined, '', 5])
    expect((await statusOf(userData, `Bearer ${await signed({ sid })}`)).status, String(sid)).toBe(401)
})

test('has tried at least 200 different tokens', () => {
  const counts = kinds.map(
    (kind) => Object.keys(claimForgeries(kind)).length + Object.keys(headerForgeries(kind)).length,
  )
  expect(Math.min(...counts)).toBeGreaterThan(100)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(500)
})

test('has created accounts only for the valid tokens', async () => {
  const rows = await service.sql<{ subject: string }>(
    `select distinct subject from identity where not starts_with(issuer, 'urn:')`,
  )
  expect(rows).toEqual([{ subject: 'ada' }])
})

test('fetches keys only from configured issuers', () => {
  expect(sentinel.asked()).toBe(0)
  for (const issuer of Object.values(issuers)) expect(issuer.asked.length).toBeLessThanOrEqual(4)
})

test('rejects a token with another spelling of its last character', async () => {
  for (const kind of kinds) {
    const token = good(kind)
    const others = sameBytes(token)
    expect(await statusOf(userData, `Bearer ${token}`)).toMatchObject({ status: 200 })
    for (const other of others) expect((await statusOf(userData, `Bearer ${other}`)).status).toBe(401)
    if (kind !== 'mixed') expect(others.length, kind).toBeGreaterThan(0)
  }
})

/** All other last characters that decode to the same bytes. */
function sameBytes(token: string): string[] {
  const bytes = Buffer.from(token.split('.')[2] ?? '', 'base64url')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return [...alphabet]
    .map((last) => token.slice(0, -1) + last)
    .filter((other) => other !== token && Buffer.from(other.split('.')[2] ?? '', 'base64url').equals(bytes))
}

describe('the Authorization header', () => {
  const malformed: Readonly<Record<string, string>> = {
    'the scheme alone': 'Bearer',
    'the scheme and a space': 'Bearer ',
    'two spaces': 'Bearer  a.b.c',
    'a tab': 'Bearer\ta.b.c',
    'another scheme': 'Basic YWRhOmFkYQ==',
    'a scheme that begins alike': 'BearerX a.b.c',
    'two tokens': 'Bearer a.b.c, Bearer d.e.f',
    'a token in quotes': 'Bearer "a.b.c"',
    'no scheme': 'a.b.c',
    'latin letters': 'Bearer \u00e9.\u00e9.\u00e9',
  }

  test.each(Object.entries(malformed))('401: %s', async (_what, authorization) => {
    expect((await statusOf(userData, authorization)).status).toBe(401)
  })

  test('401 when two Authorization headers are sent, with the valid one first or last', async () => {
    for (const both of [
      [`Bearer ${good('rsa')}`, 'Bearer a.b.c'],
      ['Bearer a.b.c', `Bearer ${good('rsa')}`],
    ]) {
      const headers = both.flatMap((value) => ['authorization', value])
      const answer = await request(`${service.url}/api/v1/user/data`, { headers })
      expect(answer.statusCode).toBe(401)
      await answer.body.dump()
    }
  })

  test('431 for a token or a claim beyond the header limit', async () => {
    const scope = forge(headerOf('rsa'), { ...claimsOf('rsa'), scope: 'x'.repeat(50_000) }, keyOf('rsa'))
    for (const token of [scope, '.'.repeat(100_000), 'a.b.'.padEnd(1_000_000, 'c')])
      expect(await statusOf(userData, `Bearer ${token}`).catch(() => ({ status: 431 }))).toMatchObject({
        status: 431,
      })
  })

  test('accepts the scheme in any case', async () => {
    expect((await statusOf(userData, `bEaReR ${good('rsa')}`)).status).toBe(200)
  })
})

test('logs no token, valid or forged', async () => {
  const logged = await service.logged()
  for (const kind of kinds) expect(logged).not.toContain(good(kind).split('.')[1])
  expect(logged).not.toContain('eyJ')
})

async function startSentinel() {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    stop: () => void server.close(),
  }
}
