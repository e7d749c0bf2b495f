import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openSending, urlFault } from '../../src/webhooks/target.ts'
import { noProxies } from '../support/no-proxies.ts'
import { receiverForTest } from '../support/webhook-receiver.ts'

const strict = { allowedNetworks: [], allowsLoopback: false }

async function sendTo(url: string, settings: Parameters<typeof openSending>[0], timeout = 3_000) {
  const sending = await openSending(settings, { proxies: noProxies, timeout })
  onTestFinished(() => sending.close())
  return sending.send({ url, headers: { 'content-type': 'application/json' }, body: '{}' })
}

test('rejects a name that resolves to this machine, and a literal address of it, on connecting', async () => {
  const receiver = await receiverForTest()
  const { port } = new URL(receiver.url)
  for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])
    for (const scheme of ['http', 'https'])
      expect([host, await sendTo(`${scheme}://${host}:${port}/`, strict)]).toEqual([
        host,
        { fault: 'ADDRESS_NOT_ALLOWED' },
      ])
  expect(receiver.received).toEqual([])
})

test('connects to a network in the settings, and to no other private network', async () => {
  const receiver = await receiverForTest()
  const named = (allowedNetworks: readonly string[]) => ({ allowedNetworks, allowsLoopback: false })
  expect(await sendTo(receiver.url, named(['127.0.0.0/8']))).toMatchObject({ status: 204 })
  expect(await sendTo(receiver.url, named(['127.0.0.2', '10.0.0.0/8', 'fd00::/8']))).toEqual({
    fault: 'ADDRESS_NOT_ALLOWED',
  })
  expect(urlFault('https://10.20.0.8/', named(['10.20.0.0/16']))).toBeUndefined()
  expect(urlFault('https://10.21.0.8/', named(['10.20.0.0/16']))).toContain('private network')
  expect(urlFault('https://[fd00::8]/', named(['fd00::/8']))).toBeUndefined()
  // Only the development setting allows http.
  expect(urlFault('http://10.20.0.8/', named(['10.20.0.0/16']))).toContain('https://')
})

test('with the development setting connects to this machine, and to no private network', async () => {
  const development = { allowedNetworks: [], allowsLoopback: true }
  const receiver = await receiverForTest()
  expect(await sendTo(receiver.url, development)).toMatchObject({ status: 204 })
  expect(urlFault('http://localhost:3000/', development)).toBeUndefined()
  expect(urlFault('http://[::1]:3000/', development)).toBeUndefined()
  for (const url of ['http://example.com/', 'http://10.0.0.8/', 'http://localhost.example.com/'])
    expect([url, urlFault(url, development)]).toEqual([url, 'must start with https://'])
  expect(await sendTo('http://10.0.0.8/', development)).toEqual({ fault: 'ADDRESS_NOT_ALLOWED' })
})

test('an endless body or an endless header takes no longer than the time of an attempt', async () => {
  const server = createServer((request, response) => {
    response.writeHead(200)
    if (request.url === '/drip') setInterval(() => response.write('x'), 50).unref()
    else response.write('x'.repeat(50_000_000))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const settings = { allowedNetworks: [], allowsLoopback: true }
  // The status has decided before.
  expect(await sendTo(`http://127.0.0.1:${port}/drip`, settings, 500)).toMatchObject({ status: 200 })
  expect(await sendTo(`http://127.0.0.1:${port}/flood`, settings, 5_000)).toMatchObject({ status: 200 })
})

test("an unreachable receiver is a fault with the system's code", async () => {
  const settings = { allowedNetworks: [], allowsLoopback: true }
  expect(await sendTo('http://127.0.0.1:9/', settings)).toEqual({ fault: 'ECONNREFUSED' })
})
