import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange } from '../../support/raw-http.ts'
import { type Service, serviceForTest, startService } from '../../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ env: { MUSTER_HOSTS: 'Muster.internal, 192.0.2.7, ::7' } })
})
afterAll(() => service.stop())

const guarded = '/api/v1/user/data'

/** Returns status and code of one request. `hosts` are its Host headers. */
async function ask(target: string, hosts: readonly string[], on = service, version = '1.1') {
  const lines = hosts.map((host) => `Host: ${host}\r\n`).join('')
  const [answer] = await exchange(on.url, `GET ${target} HTTP/${version}\r\n${lines}Connection: close\r\n\r\n`)
  const code = /"code":"(\w+)"/.exec(answer?.body ?? '')?.[1]
  return code === undefined ? answer?.status : `${answer?.status} ${code}`
}

test('400 host_invalid — a request without exactly one valid host, at any path (RFC 9112 §3.2)', async () => {
  const invalid = [
    [],
    [''],
    ['a b'],
    ['user@muster.test'],
    ['muster.test:99999'],
    ['muster.test:80:80'],
    ['muster.test:x'],
    ['muster.test/x'],
    ['http://muster.test'],
    ['[::1'],
    ['[1.2.3.4]'],
    ['::1'],
    ['a,b\\c'],
    ['müster.test'],
    ['muster.test', 'muster.test'],
    ['muster.test', 'evil.test'],
  ]
  for (const hosts of invalid)
    for (const target of [guarded, '/livez', '/nowhere', 'http://muster.test/livez'])
      expect(await ask(target, hosts), `${target} ${hosts}`).toBe('400 host_invalid')
  for (const authority of ['a@muster.test', '', 'muster.test:99999'])
    expect(await ask(`http://${authority}/livez`, ['muster.test']), authority).toMatch(
      /^400 (host_invalid|request_malf)/,
    )
})

test('421 host_unknown — any other host name, if the public URL is set', async () => {
  for (const host of [
    'evil.test',
    'muster.test.evil.test',
    'xmuster.test',
    '192.0.2.8',
    '[::8]',
    'localhost.evil.test',
  ])
    for (const target of [guarded, '/nowhere', '/docs', '/openapi.json'])
      expect(await ask(target, [host]), `${target} ${host}`).toBe('421 host_unknown')
})

test('accepts the public host name, the names in MUSTER_HOSTS and the address of the connection, with any port', async () => {
  const own = new URL(service.url).host
  const known = [
    'muster.test',
    'MUSTER.test:8443',
    'muster.test:',
    'muster.internal:1',
    '192.0.2.7',
    '[::7]:80',
    own,
    'localhost',
  ]
  for (const host of known) expect(await ask(guarded, [host]), host).toBe('401 token_missing')
  expect(await ask(guarded, [], service, '1.0')).toBe('401 token_missing')
})

test('probes accept any host name', async () => {
  for (const path of ['/livez', '/readyz']) expect(await ask(path, ['10.1.2.3:4600'])).toBe(200)
})

test('a target in absolute form takes precedence over the Host header (RFC 9112 §3.2.2)', async () => {
  expect(await ask('http://muster.test/api/v1/user/data?orgId=x', ['evil.test'])).toBe('401 token_missing')
  expect(await ask('HTTPS://muster.test:444/livez', ['muster.test'])).toBe(200)
  expect(await ask('http://evil.test/docs', ['muster.test'])).toBe('421 host_unknown')
  expect(await ask('http://muster.test', ['muster.test'])).toBe(200)
  expect(await ask('http://muster.test/auth/sign-in', ['muster.test'])).toBe('405 method_not_allowed')
})

test('accepts every host name without a public URL', async () => {
  const local = await serviceForTest({ env: { MUSTER_PUBLIC_URL: '' } })
  for (const host of ['localhost:4600', '127.0.0.1', 'workstation.lan'])
    expect(await ask(guarded, [host], local), host).toBe('401 token_missing')
})
