import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientAddressReader, watchUntrustedProxies } from '../../../src/platform/http/client-address.ts'

const read = clientAddressReader(['10.0.0.0/8', '2001:db8:ffff::/48'])
const peer = '10.0.0.1'
const client = (headers: Record<string, string>, remoteAddress: string = peer) =>
  read({ headers, socket: { remoteAddress } }).address

describe('the client address behind trusted proxies', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['"192.0.2.1"', '192.0.2.1'],
    ['"192.0.2.1:4711"', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:0DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['"[2001:db8::1]:4711"', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    // The rightmost address that is not a trusted proxy. The client may have written everything before it.
    ['203.0.113.9, 192.0.2.1', '192.0.2.1'],
    ['203.0.113.9, 192.0.2.1, 10.1.2.3', '192.0.2.1'],
    ['192.0.2.1,, 10.1.2.3 ,', '192.0.2.1'],
    ['10.1.2.3', '10.1.2.3'],
    ['junk, 192.0.2.1', '192.0.2.1'],
    // Not an address: the address of the peer.
    ['junk', peer],
    ['unknown', peer],
    ['192.0.2.1, junk', peer],
    ['x'.repeat(150), peer],
    ['127.1', peer],
    ['1', peer],
    ['192.0.2.1:port', peer],
    ['fe80::1%eth0', peer],
    ['', peer],
  ])('X-Forwarded-For: %s is read as %s', (list, address) => {
    expect(client({ 'x-forwarded-for': list })).toBe(address)
  })

  test.each([
    ['for=192.0.2.1', '192.0.2.1'],
    ['For="192.0.2.1:4711";proto=https', '192.0.2.1'],
    ['for="[2001:db8::1]:4711"; by=10.0.0.1', '2001:db8::1'],
    ['for=203.0.113.9, for=192.0.2.1;by="a,b;for=203.0.113.8", for=10.1.2.3', '192.0.2.1'],
    ['for=unknown', peer],
    ['for=_hidden', peer],
    ['proto=https', peer],
  ])('Forwarded: %s is read as %s', (list, address) => {
    expect(client({ forwarded: list })).toBe(address)
  })

  test('X-Forwarded-For takes precedence, because most proxies forward the Forwarded header of the client unchanged', () => {
    expect(client({ 'x-forwarded-for': '192.0.2.1', forwarded: 'for=203.0.113.9' })).toBe('192.0.2.1')
  })

  test('a peer that is not a trusted proxy is the client, whatever headers it sends', () => {
    expect(client({ 'x-forwarded-for': '192.0.2.1' }, '203.0.113.5')).toBe('203.0.113.5')
    expect(client({}, '::ffff:203.0.113.5')).toBe('203.0.113.5')
    expect(client({ 'x-forwarded-for': '192.0.2.1' }, '2001:db8:ffff::7')).toBe('192.0.2.1')
  })

  test('every address is normalized, and every other text is ignored', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.ipV6(), (text, address) => {
        expect(client({ 'x-forwarded-for': text })).toMatch(/^[\d.]+$|^[\da-f:.]+$/)
        expect(client({ forwarded: text })).toMatch(/^[\d.]+$|^[\da-f:.]+$/)
        expect(client({ 'x-forwarded-for': `[${address}]:1` })).toBe(client({ forwarded: `for="[${address}]"` }))
      }),
    )
  })
})

test('an untrusted proxy at a private address is detected by its header, and other peers are not', () => {
  const readUntrusted = clientAddressReader([])
  const isShared = (headers: Record<string, string>, remoteAddress: string) =>
    readUntrusted({ headers, socket: { remoteAddress } }).isShared
  for (const local of ['127.0.0.1', '::1', '10.1.2.3', '172.16.0.1', '192.168.1.1', 'fd00::1', '::ffff:10.0.0.1']) {
    expect(isShared({ 'x-forwarded-for': '192.0.2.1' }, local), local).toBe(true)
    expect(isShared({ forwarded: 'for=192.0.2.1' }, local), local).toBe(true)
    expect(isShared({}, local), local).toBe(false)
  }
  expect(isShared({ 'x-forwarded-for': '192.0.2.1' }, '203.0.113.5')).toBe(false)
  expect(read({ headers: { 'x-forwarded-for': 'junk' }, socket: { remoteAddress: peer } }).isShared).toBe(false)
})

test('every request of an untrusted proxy is counted, and one per hour is logged', () => {
  const lines: unknown[] = []
  let [counted, nowMs] = [0, 0]
  const proxies = watchUntrustedProxies({
    log: { warn: (facts) => lines.push(facts) },
    count: () => {
      counted += 1
    },
    elapsedMs: () => nowMs,
  })
  for (const atMs of [0, 10, 3_599_999, 3_600_000]) {
    nowMs = atMs
    proxies.forwarded('10.0.0.1')
  }
  expect(counted).toBe(4)
  expect(lines).toEqual([{ proxy: '10.0.0.1' }, { proxy: '10.0.0.1' }])
})

test('no code reads the addresses of Fastify, which trust headers', () => {
  const folder = new URL('../../../src/', import.meta.url)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts')))
    expect(readFileSync(new URL(name, folder), 'utf8'), name).not.toMatch(
      /\brequest\.ips?\b|[{,] ips?[ ,][^=]*FastifyRequest/,
    )
})
