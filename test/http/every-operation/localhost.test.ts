import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../support/database.ts'
import { connectTo, exchange } from '../../support/raw-http.ts'
import { type Service, startService, testInProcess } from '../../support/service.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

const last = 'Host: localhost\r\nConnection: close\r\n\r\n'

describe.skipIf(!hasIpv6)('MUSTER_HOST=localhost listens on 127.0.0.1 and ::1, and both behave the same', () => {
  let service: Service
  let urls: readonly string[]
  beforeEach(async () => {
    const fresh = await freshDatabase()
    service = await startService({ on: fresh, env: { MUSTER_HOST: 'localhost' } })
    urls = ['127.0.0.1', '[::1]'].map((host) => `http://${host}:${new URL(service.url).port}`)
    onTestFinished(async () => {
      await service.stop()
      await fresh.drop()
    })
  })

  test.each([
    ['a good request', `GET /livez HTTP/1.1\r\n${last}`, 200],
    ['a malformed request', `GET livez HTTP/1.1\r\n${last}`, 400],
    ['an unknown expectation', `GET /livez HTTP/1.1\r\nExpect: banana\r\n${last}`, 417],
    ['CONNECT', `CONNECT a:1 HTTP/1.1\r\n${last}`, 501],
  ])('%s gets the same response on both', async (_, text, status) => {
    for (const url of urls) {
      const [answer] = await exchange(url, text)
      expect(answer, url).toMatchObject({
        status,
        headers: { 'x-content-type-options': 'nosniff', 'x-request-id': expect.any(String) },
      })
    }
  })

  test('a client that sends CONNECT and disconnects immediately does not end the process', async () => {
    for (const url of urls) {
      for (let count = 0; count < 20; count += 1) {
        const socket = connectTo(url).on('error', () => undefined)
        await new Promise<void>((sent) => socket.write(`CONNECT a:1 HTTP/1.1\r\n${last}`, () => sent()))
        socket.resetAndDestroy()
      }
      expect((await exchange(url, `GET /livez HTTP/1.1\r\n${last}`))[0]?.status).toBe(200)
    }
  })

  testInProcess(
    'while the service stops neither accepts, and the request in flight on each ends with its answer',
    async () => {
      const body = JSON.stringify({ refresh_token: 'x' })
      const head = `POST /auth/refresh HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
      const held = urls.map((url) => openRequest(url, `${head}Expect: 100-continue\r\n${last}`))
      await expect.poll(() => held.every(({ received }) => received().includes('100 Continue'))).toBe(true)
      const closed = once(service.app.server, 'close')
      let isStopped = false
      const stopped = service.app.close().then(() => {
        isStopped = true
      })
      for (const url of urls)
        await expect
          .poll(() => exchange(url, `GET /livez HTTP/1.1\r\n${last}`).catch(({ code }: { code?: string }) => code))
          .toBe('ECONNREFUSED')
      const [first, second] = held
      first?.socket.write(body)
      await expect.poll(() => first?.received()).toMatch(/HTTP\/1\.1 401 /)
      await closed
      // The database must stay open while a request is in flight.
      await service.fresh.sql('select 1')
      expect(isStopped).toBe(false)
      second?.socket.write(body)
      await stopped
      await expect.poll(() => second?.received()).toMatch(/HTTP\/1\.1 401 /)
    },
  )
})

/** A request whose body has not arrived. */
function openRequest(url: string, head: string) {
  let text = ''
  const socket = connectTo(url).on('data', (data) => {
    text += data.toString('latin1')
  })
  socket.write(head)
  return { socket, received: () => text }
}
