import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:net'
import { buildConnector } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as ofService from '../../../src/platform/addresses.ts'
import { readInput } from '../../engine/check.ts'
import * as ofLibrary from '../../engine/connections.ts'
import { readCredential } from '../../engine/credential.ts'
import { defaultLimits } from '../../engine/limits.ts'
import { provider, undetermined } from '../../engine/provider.ts'
import { openProviderClient } from '../../engine/provider-client.ts'

const special = [
  '127.0.0.1',
  '127.8.9.10',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'ff02::1',
  '64:ff9b::a00:1',
  '2002:a00:1::1',
  '2001:db8::1',
  '::ffff:169.254.169.254',
  // Other spellings of 127.0.0.1 and 10.0.0.1
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '10.1',
  'not an address',
  '',
]

// The library and the service each have a guard. Both must follow the same rule.
describe.each([
  ['the library', ofLibrary],
  ['the service', ofService],
])('the address guard of %s:', (_, { addressRule, guardedConnector, guardedLookup }) => {
  describe('a built-in address', () => {
    const isAllowed = addressRule('api.cloudflare.com', false)
    test.each(special)('never connects to %s', (address) => expect(isAllowed(address)).toBe(false))
    test.each(['104.19.192.29', '2606:4700::6813:c01d', '::ffff:104.19.192.29'])('may connect to %s', (address) =>
      expect(isAllowed(address)).toBe(true),
    )
  })

  describe('a configured address', () => {
    test('a literal allows only itself', () => {
      const isAllowed = addressRule('127.0.0.1', true)
      expect([...special, '104.19.192.29'].filter(isAllowed)).toEqual([
        '127.0.0.1',
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        '2130706433',
        '0x7f000001',
        '0177.0.0.1',
      ])
    })

    test('a literal IPv6 address is read without its brackets', () => {
      const isAllowed = addressRule('[::1]', true)
      expect(['::1', '::2', '127.0.0.1'].filter(isAllowed)).toEqual(['::1'])
    })

    test('a name may resolve to a private network, but not to link-local addresses', () => {
      const isAllowed = addressRule('proxy.internal', true)
      expect(special.filter(isAllowed)).not.toContain('169.254.169.254')
      expect(special.filter(isAllowed)).not.toContain('fe80::1')
      expect(
        ['10.1.2.3', '100.64.0.1', '::1', 'fd12::1', '104.19.192.29'].filter((address) => !isAllowed(address)),
      ).toEqual([])
      expect(['[10.1.2.]3', '1[0.1.2.3]'].filter(isAllowed)).toEqual([])
    })
  })

  describe('the lookup', () => {
    test('passes on the error of a failed lookup', async () => {
      const failure = new Error('no such name')
      const reason = await new Promise((done) => {
        const lookup = guardedLookup(addressRule('x.example', false), (_, __, reply) => reply(failure, []))
        lookup('x.example', {}, (error) => done(error))
      })
      expect(reason).toBe(failure)
    })

    const found = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }))
    const lookUp = (answer: LookupAddress[], all: boolean) =>
      new Promise<unknown>((done) => {
        const lookup = guardedLookup(addressRule('x.example', false), (_, __, reply) => reply(null, answer))
        lookup('x.example', { all }, (error, address) => done(error ?? address))
      })

    test('returns public addresses', async () => {
      expect(await lookUp(found('104.19.192.29'), false)).toBe('104.19.192.29')
      expect(await lookUp(found('104.19.192.29'), true)).toEqual(found('104.19.192.29'))
    })

    test.each([[['127.0.0.1']], [['104.19.192.29', '10.0.0.1']], [[]]])('rejects %j as a whole', async (addresses) => {
      expect(await lookUp(found(...addresses), true)).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' })
    })
  })

  test('closes a connection whose address is not the one that was resolved', async () => {
    const { port, received } = await listen()
    // The name server returns an allowed address first, and a forbidden one next.
    let asked = 0
    const isAllowed = () => ++asked === 1
    const lookup = guardedLookup(isAllowed)
    const connect = guardedConnector(buildConnector({ timeout: 2_000, lookup }), isAllowed)
    const error = await new Promise((done) =>
      connect({ hostname: 'localhost', host: 'localhost', protocol: 'http:', port: String(port) }, (...result) =>
        done(result[0]),
      ),
    )
    expect(error).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' })
    expect(received()).toBe('')
  })
})

describe('the provider client', () => {
  const probe = { request: () => ({ path: '/', headers: {} }), classify: () => undetermined('unexpected_answer') }
  const exampleAt = (baseUrl: string) =>
    provider({
      id: 'example',
      title: 'Example',
      docs: '',
      keyPage: '',
      baseUrl,
      keyTypes: { api_token: { label: 'token' } },
      certainty: 'guess',
      firstRead: { grows: 'never' },
      abilities: { unknown: 'Not known.' },
      ...probe,
    })

  /** One call to the address, built in or configured. */
  async function send(address: string, isConfigured: boolean) {
    const example = exampleAt(isConfigured ? 'https://example.com' : address)
    const baseUrl = isConfigured ? address : undefined
    const client = openProviderClient({
      provider: example,
      baseUrl,
      limits: defaultLimits,
      now: Date.now,
      clock: Date.now,
    })
    onTestFinished(() => client.close())
    const { credential } = readCredential(example, readInput({ keyType: 'api_token', apiKey: 'x' }))
    const { answer } = await client.send(probe, credential, { signal: new AbortController().signal, clockOffsetMs: 0 })
    return answer
  }

  test.each(['127.0.0.1', 'localhost', '0x7f000001', '2130706433', '127.1'])(
    'opens no connection to %s if that is built in',
    async (host) => {
      const { port, connections } = await listen()
      const failure = await send(`http://${host}:${port}`, false)
      expect(failure).toMatchObject({ kind: 'failure', reason: 'unreachable', code: 'ADDRESS_NOT_ALLOWED' })
      expect(connections()).toBe(0)
    },
  )

  test('reaches the same address if the operator configured it', async () => {
    const { port } = await listen()
    expect(await send(`http://127.0.0.1:${port}`, true)).toMatchObject({ kind: 'answer', text: 'ok' })
  })
})

/** Records what arrives and answers everything with `ok`. */
async function listen(): Promise<{ port: number; received: () => string; connections: () => number }> {
  let text = ''
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    received: () => text,
    connections: () => connections,
  }
}
