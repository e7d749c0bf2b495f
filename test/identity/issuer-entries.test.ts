import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { IssuerEntry } from '../../src/identity/issuers/entries.ts'
import { presets } from '../../src/identity/issuers/presets.ts'
import { ConfigError } from '../../src/platform/settings.ts'

const secret = 'a-shared-secret-of-more-than-32-characters'
const folder = mkdtempSync(join(tmpdir(), 'muster-issuers-'))
afterAll(() => rmSync(folder, { recursive: true }))

function entriesOf(document: unknown, env: Record<string, string> = {}): readonly IssuerEntry[] {
  return readConfig({ MUSTER_ISSUERS: JSON.stringify(document), ...env }).issuers
}

function entryOf(entry: object, env?: Record<string, string>): IssuerEntry {
  const [read] = entriesOf([entry], env)
  if (!read) throw new Error('no entry')
  return read
}

function faultsOf(document: unknown, env: Record<string, string> = {}): readonly string[] {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  try {
    readConfig({ MUSTER_ISSUERS: text, ...env })
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

const whole = { issuer: 'https://idp.example', algorithms: ['RS256'], audience: 'api' }

describe('entries with a preset', () => {
  const twoLines: Readonly<Record<string, readonly [object, Partial<IssuerEntry>]>> = {
    supabase: [
      { project: 'abcd' },
      {
        issuer: 'https://abcd.supabase.co/auth/v1',
        algorithms: ['ES256', 'RS256'],
        audience: ['authenticated'],
        keys: { kind: 'address', url: 'https://abcd.supabase.co/auth/v1/.well-known/jwks.json' },
        never: { is_anonymous: true },
      },
    ],
    auth0: [
      { domain: 'acme.eu.auth0.com', audience: 'https://api.example' },
      {
        issuer: 'https://acme.eu.auth0.com/',
        audience: ['https://api.example'],
        keys: {
          kind: 'discovery',
          url: 'https://acme.eu.auth0.com/.well-known/openid-configuration',
          allowsHttp: false,
        },
      },
    ],
    keycloak: [
      { issuer: 'https://kc.example/realms/a', audience: 'api' },
      { issuer: 'https://kc.example/realms/a', exactly: { typ: 'Bearer' }, refusesIdTokens: false },
    ],
    clerk: [
      { issuer: 'https://clerk.example.com', parties: ['https://app.example.com'] },
      { party: { claim: 'azp', oneOf: ['https://app.example.com'] }, never: { sts: 'pending' } },
    ],
    entra: [
      { tenant: '0f0f', audience: '1a1a' },
      {
        issuer: 'https://login.microsoftonline.com/0f0f/v2.0',
        present: ['scp'],
        claims: { subject: 'oid', session: 'sid', email: 'email', emailVerified: 'email_verified', name: 'name' },
      },
    ],
    zitadel: [{ issuer: 'https://acme.zitadel.cloud', audience: '7' }, { present: ['jti'] }],
    logto: [
      { endpoint: 'acme.logto.app', audience: 'https://api.example' },
      { issuer: 'https://acme.logto.app/oidc', algorithms: ['ES384', 'RS256'] },
    ],
    cognito: [
      { issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_x', parties: 'client' },
      { party: { claim: 'client_id', oneOf: ['client'] }, exactly: { token_use: 'access' } },
    ],
    'better-auth': [
      { issuer: 'https://app.example' },
      {
        audience: ['https://app.example'],
        keys: { kind: 'address', url: 'https://app.example/api/auth/jwks' },
        algorithms: ['EdDSA'],
      },
    ],
  }

  test.each(Object.entries(twoLines))('%s', (preset, [entry, expected]) => {
    expect(entryOf({ preset, ...entry })).toMatchObject(expected)
  })

  test('exist for every preset', () => {
    expect(Object.keys(twoLines)).toEqual(Object.keys(presets))
  })

  test('override the preset, and each claim separately', () => {
    const entry = entryOf({
      preset: 'supabase',
      project: 'abcd',
      algorithms: ['ES256'],
      never: {},
      claims: { email: 'mail' },
    })
    expect(entry).toMatchObject({ algorithms: ['ES256'], never: {} })
    expect(entry.claims).toEqual({
      subject: 'sub',
      session: 'session_id',
      email: 'mail',
      emailVerified: 'email_verified',
      name: 'name',
    })
  })
})

describe('have strict defaults', () => {
  test('trust nothing that the entry does not state', () => {
    expect(entryOf(whole)).toMatchObject({
      trustsEmail: false,
      joinSubjects: false,
      refusesIdTokens: true,
      provisions: true,
      clockToleranceSeconds: 5,
      lifetimeMaxSeconds: 86_400,
    })
  })

  test('read the keys from the discovery document by default and with "discover"', () => {
    const keys = {
      kind: 'discovery',
      url: 'https://idp.example/.well-known/openid-configuration',
      allowsHttp: false,
    }
    expect(entryOf(whole).keys).toEqual(keys)
    expect(entryOf({ ...whole, keys: 'discover' }).keys).toEqual(keys)
  })

  test('can use each algorithm alone, with its key set or secret', () => {
    const publicKeys = [
      'RS256',
      'RS384',
      'RS512',
      'PS256',
      'PS384',
      'PS512',
      'ES256',
      'ES384',
      'ES512',
      'EdDSA',
      'Ed25519',
    ]
    for (const name of publicKeys) expect(entryOf({ ...whole, algorithms: [name] }).algorithms).toEqual([name])
    for (const name of ['HS256', 'HS384', 'HS512'])
      expect(entryOf({ ...whole, algorithms: [name], secret: 'x'.repeat(64) }).algorithms).toEqual([name])
  })

  test('can rename each claim', () => {
    const claims = { name: 'full_name', subject: 'uid', session: 'sid', email: 'mail', emailVerified: 'mail_proved' }
    expect(entryOf({ ...whole, claims }).claims).toEqual(claims)
  })
})

describe('secrets of entries', () => {
  const hmac = { ...whole, algorithms: ['HS256'] }

  test('are read from the entry, the environment or a file', () => {
    const file = join(folder, 'secret')
    writeFileSync(file, `${secret}\n`)
    expect(entryOf({ ...hmac, secret }).secret?.open()).toBe(secret)
    expect(entryOf({ ...hmac, secret: { env: 'THE_SECRET' } }, { THE_SECRET: secret }).secret?.open()).toBe(secret)
    expect(entryOf({ ...hmac, secret: { file } }).secret?.open()).toBe(secret)
  })

  test('never appear in printed output', () => {
    const entry = entryOf({ ...hmac, secret })
    for (const printed of [JSON.stringify(entry), inspect(entry, { depth: 9 }), String(entry.secret)])
      expect(printed).not.toContain(secret)
  })

  test('never appear in faults, wherever they are misplaced', () => {
    const documents = [
      `[{"secret": "${secret}",`,
      `${secret}`,
      [{ ...hmac, secret: { value: secret } }],
      [{ ...hmac, secret: [secret] }],
      [{ ...hmac, issuer: 7, audience: { secret } }],
      [{ ...whole, secret }],
      [{ ...whole, keys: secret }],
      [{ ...whole, algorithms: [secret] }],
      [{ ...whole, preset: secret }],
      [{ ...hmac, secret: secret.slice(0, 20) }],
      [secret],
      { secret },
    ]
    for (const document of documents) {
      const faults = faultsOf(document)
      expect(faults).not.toEqual([])
      // A path that cannot be read is named, so that the operator can correct it.
      if (document !== secret) expect(faults.join('\n')).not.toContain(secret.slice(0, 20))
    }
  })

  test('Supabase: uses the shared secret only for HS256 and the key set only for the other algorithms', () => {
    const entry = entryOf({ preset: 'supabase', project: 'abcd', secret })
    expect(entry).toMatchObject({ algorithms: ['ES256', 'RS256', 'HS256'], keys: { kind: 'address' } })
    expect(entryOf({ preset: 'supabase', project: 'abcd', secret, algorithms: ['HS256'] }).keys).toEqual({
      kind: 'none',
    })
  })
})

describe('faults of entries', () => {
  const faulty: Readonly<Record<string, readonly [object, string]>> = {
    'no algorithms': [{ ...whole, algorithms: undefined }, '"algorithms" is required'],
    'an empty list of algorithms': [{ ...whole, algorithms: [] }, '"algorithms"'],
    'the algorithm none': [{ ...whole, algorithms: ['none'] }, '"algorithms" must be among'],
    'an unknown level': [
      { ...whole, stepUp: { acr: { gold: 'aal3' } } },
      '"acr" must map values of the claim to "aal2".',
    ],
    'neither audience nor party': [{ ...whole, audience: undefined }, '"audience" is required'],
    'both audience and party': [{ ...whole, party: { claim: 'azp', oneOf: ['x'] } }, '"party" and "audience"'],
    'a party without its claim': [{ ...whole, audience: undefined, party: { oneOf: ['x'] } }, '"claim" is required'],
    'a party without its list': [{ ...whole, audience: undefined, party: { claim: 'azp' } }, '"oneOf" is required'],
    'a party without values': [{ ...whole, audience: undefined, party: { claim: 'azp', oneOf: [] } }, '"oneOf"'],
    'HMAC beside public keys and no secret': [{ ...whole, algorithms: ['RS256', 'HS256'] }, '"secret" is required'],
    'a secret that no algorithm uses': [{ ...whole, secret }, '"secret" is not used by any algorithm'],
    'an empty secret': [{ ...whole, algorithms: ['HS256'], secret: '' }, '"secret"'],
    'a secret of spaces': [{ ...whole, algorithms: ['HS256'], secret: '   ' }, '"secret" is empty'],
    'a short secret': [{ ...whole, algorithms: ['HS256'], secret: 'x'.repeat(31) }, '"secret" is shorter'],
    'a secret too short for its hash': [
      { ...whole, algorithms: ['HS512'], secret: 'x'.repeat(63) },
      '"secret" is shorter',
    ],
    'a secret that is not in the environment': [
      { ...whole, algorithms: ['HS256'], secret: { env: 'NOPE' } },
      '"secret" is empty',
    ],
    'a secret in a missing file': [
      { ...whole, algorithms: ['HS256'], secret: { file: '/nope' } },
      '"secret" names a file',
    ],
    'a key set over http': [{ ...whole, keys: 'http://idp.example/jwks' }, '"keys" must be an https URL'],
    'a key set with a password': [{ ...whole, keys: 'https://u:p@idp.example/jwks' }, '"keys" must not contain'],
    'a key set that is not a URL': [{ ...whole, keys: 'jwks.json' }, '"keys" must be an https URL'],
    'an issuer over http without keys': [{ ...whole, issuer: 'http://idp.example' }, '"issuer" must be an https URL'],
    'no issuer': [{ ...whole, issuer: undefined }, '"issuer" is required'],
    'a tolerance in quotes': [
      { ...whole, clockToleranceSeconds: '5' },
      '"clockToleranceSeconds" must be a whole number',
    ],
    'a tolerance that is null': [
      { ...whole, clockToleranceSeconds: null },
      '"clockToleranceSeconds" must be a whole number',
    ],
    'a tolerance of an hour': [
      { ...whole, clockToleranceSeconds: 3_600 },
      '"clockToleranceSeconds" must be a whole number',
    ],
    'an endless lifetime': [{ ...whole, lifetimeMaxSeconds: 1e300 }, '"lifetimeMaxSeconds" must be a whole number'],
    'a lifetime beyond 30 days, after which a deleted account could come back': [
      { ...whole, lifetimeMaxSeconds: 30 * 86_400 + 1 },
      '"lifetimeMaxSeconds" must be a whole number from 60 to 2592000',
    ],
    'a misspelled rule': [{ ...whole, trustEmail: true }, '"trustEmail" is unknown'],
    'a misspelled member of stepUp': [{ ...whole, stepUp: { acrs: { gold: 'aal2' } } }, '"acrs" is unknown'],
    'a key set without its list': [{ ...whole, keys: { keys: {} } }, '"keys" must be a URL, "discover" or a key set'],
    'a key set that no algorithm uses': [
      { ...whole, algorithms: ['HS256'], secret, keys: { keys: [] } },
      '"keys" is not used by any algorithm of this entry.',
    ],
    'a misspelled claim': [{ ...whole, claims: { subjekt: 'sub' } }, '"subjekt" is unknown'],
    'a flag in quotes': [{ ...whole, trustsEmail: 'false' }, '"trustsEmail" must be true or false'],
    'joined subjects without trusted emails': [
      { ...whole, joinSubjects: true },
      '"joinSubjects" needs "trustsEmail": true.',
    ],
    'an unknown preset': [{ ...whole, preset: 'okta' }, '"preset" must be one of'],
    'a preset named like a property of Object': [{ ...whole, preset: 'constructor' }, '"preset" must be one of'],
    'a domain with its scheme': [
      { preset: 'auth0', domain: 'https://acme.auth0.com', audience: 'x' },
      '"domain" must be a host name',
    ],
    'a name reserved for the built-in issuer': [
      { ...whole, issuer: 'urn:muster:issuer', keys: 'https://x.example' },
      'built-in issuer',
    ],
    'the URL of the built-in issuer': [{ ...whole, issuer: 'https://muster.example' }, 'built-in issuer'],
  }

  test.each(Object.entries(faulty))('reports %s', (_name, [entry, fault]) => {
    const faults = faultsOf([entry], { MUSTER_PUBLIC_URL: 'https://muster.example' })
    expect(faults.join('\n')).toContain(fault)
    for (const line of faults) expect(line).toMatch(/^MUSTER_ISSUERS, entry 1: /)
  })

  test('reports a repeated issuer', () => {
    expect(faultsOf([whole, whole])).toEqual(['MUSTER_ISSUERS, entry 2: "issuer" repeats an earlier entry.'])
  })

  test('reports all faults of all entries together, each with its entry and member', () => {
    const faults = faultsOf([
      { ...whole, algorithms: ['none'], typ: 5 },
      7,
      { ...whole, issuer: 'https://b.example', audience: 3 },
    ])
    expect(faults.map((fault) => fault.slice(0, 40))).toEqual([
      'MUSTER_ISSUERS, entry 1: "algorithms" mu',
      'MUSTER_ISSUERS, entry 1: "typ" must be a',
      'MUSTER_ISSUERS, entry 2: must be an obje',
      'MUSTER_ISSUERS, entry 3: "audience" must',
    ])
  })

  test('reports invalid JSON, a value that is not a list, and an unreadable file', () => {
    expect(faultsOf('[{')).toHaveLength(1)
    expect(faultsOf({ issuer: 'x' })).toEqual(['MUSTER_ISSUERS: must be a JSON array of entries.'])
    expect(faultsOf('/nope.json')).toEqual(['MUSTER_ISSUERS points to a file that cannot be read: /nope.json'])
  })
})

test('accepts a path to a file with the entries', () => {
  const file = join(folder, 'issuers.json')
  writeFileSync(file, JSON.stringify([whole]))
  expect(readConfig({ MUSTER_ISSUERS: file }).issuers).toMatchObject([{ issuer: 'https://idp.example' }])
})

test('accepts http on loopback, and elsewhere only if the entry allows it', () => {
  const local = ['http://127.0.0.1:9/jwks', 'http://localhost/jwks', 'http://[::1]:9/jwks']
  for (const keys of local) expect(entryOf({ ...whole, keys }).keys).toEqual({ kind: 'address', url: keys })
  const spoofed = ['http://127.0.0.1.example/jwks', 'http://localhost.example/jwks', 'http://127.evil.example/jwks']
  for (const keys of spoofed) expect(faultsOf([{ ...whole, keys }])).toHaveLength(1)
  expect(entryOf({ ...whole, issuer: 'http://keycloak:8080/realms/a', allowHttp: true }).keys).toMatchObject({
    kind: 'discovery',
    allowsHttp: true,
  })
})
