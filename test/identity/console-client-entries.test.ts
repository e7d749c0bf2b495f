import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { ConfigError } from '../../src/platform/settings.ts'

const whole = { issuer: 'https://idp.example/', algorithms: ['RS256'], audience: 'api' }

const read = (client: unknown, more: object = {}) =>
  readConfig({ MUSTER_ISSUERS: JSON.stringify([{ ...whole, console: client, ...more }]) }).issuers[0]?.console

function faultsOf(client: unknown, more: object = {}): readonly string[] {
  try {
    read(client, more)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

const place = 'MUSTER_ISSUERS, entry 1'

describe('the member “console” of an entry', () => {
  test('requires only the client id; defaults to the issuer’s host as title and its origin as allowed origin', () => {
    expect(read({ clientId: 'muster' })).toEqual({
      clientId: 'muster',
      title: 'idp.example',
      scopes: ['openid'],
      parameters: {},
      origins: ['https://idp.example'],
    })
  })

  test('accepts a title, scopes, authorization parameters, and origins of other endpoints', () => {
    const client = {
      clientId: 'muster',
      title: 'Example Ltd',
      scopes: ['openid', 'email'],
      parameters: { audience: 'https://api.example', prompt: 'select_account' },
      origins: ['https://token.idp.example', 'https://idp.example'],
    }
    expect(read(client)).toEqual({ ...client, origins: ['https://idp.example', 'https://token.idp.example'] })
  })

  test('accepts http issuers on localhost, and elsewhere if the entry allows http', () => {
    expect(read({ clientId: 'a' }, { issuer: 'http://localhost:9000' })?.origins).toEqual(['http://localhost:9000'])
    const inNetwork = { issuer: 'http://idp.lan', allowHttp: true }
    expect(read({ clientId: 'a' }, inNetwork)?.origins).toEqual(['http://idp.lan'])
  })

  const own = ['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce', 'request']
  const faulty: readonly (readonly [name: string, client: object, fault: string])[] = [
    ['no client', {}, 'in "console": "clientId" is required.'],
    ['a client that is no text', { clientId: 7 }, 'in "console": "clientId" must be a string of 1 to 400 characters.'],
    ['a secret, which no browser keeps', { clientId: 'a', clientSecret: 's' }, '"clientSecret" is unknown.'],
    ['scopes without openid', { clientId: 'a', scopes: ['email'] }, '"scopes" must contain "openid".'],
    ['two scopes in one text', { clientId: 'a', scopes: ['openid', 'a b'] }, 'must be a list of single scopes.'],
    [
      'parameters that are no texts',
      { clientId: 'a', parameters: { a: true } },
      '"parameters" must be an object of strings.',
    ],
    ['an origin with a path', { clientId: 'a', origins: ['https://a.example/'] }, '"origins" must be origins such as'],
    [
      'an origin that adds a directive',
      { clientId: 'a', origins: ['https://a.example; script-src *'] },
      '"origins" must be',
    ],
    ['an origin over http', { clientId: 'a', origins: ['http://a.example'] }, '"origins" must be an https URL'],
    ...own.map(
      (name) => [`the own parameter ${name}`, { clientId: 'a', parameters: { [name]: 'x' } }, 'sets itself'] as const,
    ),
  ]
  test.each(faulty)('rejects %s', (_name, client, fault) => {
    const faults = faultsOf(client)
    expect(faults).toContainEqual(expect.stringContaining(fault))
    for (const one of faults) expect(one).toMatch(new RegExp(`^${place}`))
  })

  test('rejects an issuer that a browser cannot open', () => {
    const inline = { issuer: 'urn:example', keys: 'https://idp.example/keys' }
    expect(faultsOf({ clientId: 'a' }, inline)).toEqual([
      expect.stringContaining('"clientId" needs an issuer that a browser can open'),
    ])
  })
})
