import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { proxyFor } from '../../../src/platform/outgoing/proxies.ts'
import { ConfigError } from '../../../src/platform/settings.ts'

type Env = Readonly<Record<string, string>>

const proxiesOf = (env: Env) => readConfig(env).outgoingProxies
const proxyOf = (env: Env, url: string) => proxyFor(proxiesOf(env), new URL(url))
const faultsOf = (env: Env) => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

describe('which proxy', () => {
  const every = ['https://api.example/', 'http://api.example/']
  const namesOf = (env: Env) => every.map((url) => proxyOf(env, url)?.origin)

  test.each<[string, Env, (string | undefined)[]]>([
    ['none without a setting', {}, [undefined, undefined]],
    ['HTTPS_PROXY only for https', { HTTPS_PROXY: 'http://a.example:3128' }, ['http://a.example:3128', undefined]],
    ['HTTP_PROXY only for http', { HTTP_PROXY: 'http://a.example:3128' }, [undefined, 'http://a.example:3128']],
    [
      'the name in lower case, unless it is empty',
      {
        HTTPS_PROXY: 'http://a.example:1',
        https_proxy: 'http://b.example:2',
        HTTP_PROXY: 'http://c.example:3',
        http_proxy: '',
      },
      ['http://b.example:2', 'http://c.example:3'],
    ],
    [
      'MUSTER_OUTGOING_PROXY before the others, for both',
      { MUSTER_OUTGOING_PROXY: 'https://a.example', HTTPS_PROXY: 'http://b.example:2' },
      ['https://a.example:443', 'https://a.example:443'],
    ],
    [
      'none if MUSTER_OUTGOING_PROXY is empty',
      { MUSTER_OUTGOING_PROXY: ' ', HTTPS_PROXY: 'b.example:2' },
      [undefined, undefined],
    ],
    ['without a scheme, http', { HTTPS_PROXY: 'a.example:3128' }, ['http://a.example:3128', undefined]],
    ['an IPv6 address', { HTTPS_PROXY: 'http://[2001:db8::1]:3128/' }, ['http://[2001:db8::1]:3128', undefined]],
  ])('%s', (_, env, expected) => expect(namesOf(env)).toEqual(expected))

  test.each([
    ['MUSTER_OUTGOING_PROXY', 'socks5://user:canary@a.example:1080', 'must be the address of an HTTP proxy'],
    ['HTTPS_PROXY', 'http://user:canary#1@a.example:3128', 'must be the address of an HTTP proxy'],
    ['http_proxy', 'http://a.example:3128/canary', 'must be the address of an HTTP proxy'],
    ['https_proxy', 'http://user:canary%@a.example:3128', 'has a user name or password with a % that is not'],
  ])('%s=%s stops the start, and the message has no password', (name, value, fault) => {
    const faults = faultsOf({ [name]: value })
    expect(faults).toEqual([expect.stringContaining(`${name} ${fault}`)])
    expect(faults.join()).not.toContain('canary')
  })

  test('the password is percent-decoded for the proxy, and printed nowhere', () => {
    const env = { MUSTER_OUTGOING_PROXY: 'http://canary:p%40ss%3A%2F%C3%A9@a.example:3128' }
    const proxy = proxyOf(env, 'https://api.example')
    expect(proxy?.authorization?.open()).toBe(`Basic ${Buffer.from('canary:p@ss:/é').toString('base64')}`)
    expect(proxy?.name).toBe('a.example:3128')
    const odd = proxyOf({ MUSTER_OUTGOING_PROXY: 'http://user_=;1:a;b=c@a.example' }, 'https://api.example')
    expect(odd?.authorization?.open()).toBe(`Basic ${Buffer.from('user_=;1:a;b=c').toString('base64')}`)
    const printed = inspect(proxiesOf(env), { depth: 9 }) + JSON.stringify(readConfig(env))
    for (const part of ['canary', 'p@ss', 'p%40ss', 'Y2FuYXJ5']) expect(printed).not.toContain(part)
  })
})

describe('NO_PROXY', () => {
  const isDirect = (noProxy: string, url: string) =>
    proxyOf({ MUSTER_OUTGOING_PROXY: 'http://a.example:1', NO_PROXY: noProxy }, url) === undefined

  test.each([
    [
      'a name and its subdomains',
      'example.com',
      ['http://example.com', 'https://a.b.example.com', 'http://EXAMPLE.com.'],
      ['http://notexample.com', 'http://example.com.evil.test'],
    ],
    ['a suffix with a dot', '.example.com', ['http://a.example.com', 'http://example.com'], ['http://notexample.com']],
    ['subdomains only', '*.example.com', ['http://a.example.com'], ['http://example.com', 'http://aexample.com']],
    ['everything', '*', ['http://a.test', 'https://[::1]:8'], []],
    [
      'a port',
      'example.com:8443, *:4318',
      ['https://example.com:8443', 'http://x.test:4318'],
      ['https://example.com', 'http://x.test'],
    ],
    ['the port of the protocol', 'example.com:443', ['https://example.com'], ['http://example.com']],
    [
      'an address',
      '127.0.0.1 ::1',
      ['http://127.0.0.1:9', 'http://[::1]:9', 'http://2130706433'],
      ['http://127.0.0.2', 'http://localhost'],
    ],
    ['an IPv6 address with a port', '[2001:db8::1]:443', ['https://[2001:db8:0::1]'], ['http://[2001:db8::1]']],
    [
      'a network',
      '10.0.0.0/8,fd00::/8,[2001:db8::]/32',
      ['http://10.1.2.3', 'http://[fd12::1]', 'http://[2001:db8:1::1]', 'http://[::ffff:10.0.0.1]'],
      ['http://11.0.0.1', 'http://10.example'],
    ],
    [
      'entries between commas, spaces and line breaks',
      ' a.test,,b.test\n c.test ',
      ['http://a.test', 'http://b.test', 'http://c.test'],
      ['http://d.test'],
    ],
    ['nothing', ' , ', [], ['http://a.test', 'http://localhost', 'http://127.0.0.1']],
  ])('%s: %j', (_, noProxy, direct, through) => {
    for (const url of direct) expect(isDirect(noProxy, url), url).toBe(true)
    for (const url of through) expect(isDirect(noProxy, url), url).toBe(false)
  })

  test('of any text, no entry other than its own name exempts a host', () => {
    const label = fc.stringMatching(/^[a-z]{1,8}$/)
    const entries = fc.array(fc.string({ maxLength: 20 }).filter((text) => !/[*]|target|test/i.test(text)))
    fc.assert(
      fc.property(entries, label, (noise, name) => {
        const noProxy = noise.join(',')
        expect(isDirect(noProxy, `https://${name}.target.test`)).toBe(false)
        expect(isDirect(`${noProxy},target.test`, `https://${name}.target.test`)).toBe(true)
      }),
    )
  })

  test('applies in lower case first', () => {
    const env = { HTTPS_PROXY: 'http://a.example:1', NO_PROXY: 'a.test', no_proxy: 'b.test' }
    expect(proxyOf(env, 'https://a.test')?.name).toBe('a.example:1')
    expect(proxyOf(env, 'https://b.test')).toBeUndefined()
  })
})
