import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectionsMax } from '../../../src/platform/http/connection-limit.ts'
import { connectTo } from '../../support/raw-http.ts'
import { addressWith, serviceForTest, testInProcess } from '../../support/service.ts'
import { connect, metricsToken, startProcessWithDescriptors } from '../../support/service-process.ts'

interface Held {
  readonly socket: Socket
  received(): string
  isClosed(): boolean
}

testInProcess(
  'at the limit, a new connection replaces the oldest one without a request, else the oldest idle one, but never one with a request in progress',
  async () => {
    const { url, reached } = await appWithLimit(10)
    const inProgress = await request(url)
    const kept = await answered(url)

    const silent = await inOrder(11, () => open(url))
    await expect.poll(() => closedIn(silent)).toBe(3)
    expect(closedIn(silent.slice(0, 3))).toBe(3)
    const good = await inOrder(4, () => answered(url))
    expect(reached()).toBe(7)
    await ask(kept)

    const more = await inOrder(8, () => answered(url))
    await expect.poll(() => closedIn([...silent, ...good])).toBe(15)
    expect(closedIn([kept, ...more])).toBe(0)
    await answered(url)
    // It was used after the valid ones and before the others.
    await expect.poll(kept.isClosed).toBe(true)
    expect(closedIn(more)).toBe(0)

    inProgress.socket.write(body)
    await expect.poll(inProgress.received).toMatch(/HTTP\/1\.1 401 /)
    expect(reached()).toBe(16)
  },
)

testInProcess(
  'if every connection has a request in progress, the new connection is closed and all requests are answered',
  async () => {
    const { url, reached } = await appWithLimit(5)
    const held = await inOrder(5, () => request(url))
    const newcomer = await open(url)
    newcomer.socket.write(get)
    await expect.poll(newcomer.isClosed).toBe(true)
    expect(newcomer.received()).toBe('')
    for (const { socket } of held) socket.write(body)
    for (const { received } of held) await expect.poll(received).toMatch(/HTTP\/1\.1 401 /)
    expect(reached()).toBe(1)
    await answered(url)
  },
)

testInProcess('a connection that has ended makes room', async () => {
  const { url, reached } = await appWithLimit(2)
  const kept = await answered(url)
  for (const connect of [open, answered, open, answered]) {
    const ended = await connect(url)
    ended.socket.end()
    await expect.poll(ended.isClosed).toBe(true)
  }
  expect(reached()).toBe(0)
  await ask(kept)
})

test.runIf(process.platform === 'linux')(
  'the limit depends on the file descriptors: clients are served despite too many silent connections, which is logged once and counted',
  async () => {
    const { url, lines } = await startProcessWithDescriptors(200)
    const metrics = connect(url)
    const reached = async () => {
      const { text } = await metrics.get('/metrics', { authorization: `Bearer ${metricsToken}` })
      return Number(/^muster_limit_reached_total\{limit="client connections"\} (\d+)$/m.exec(text)?.[1])
    }
    expect(await reached()).toBe(0)
    await Promise.all(Array.from({ length: 210 }, () => open(url)))
    await inOrder(20, () => answered(url))
    expect(await reached()).toBe(131)
    const said = lines.filter(({ msg }) => msg === 'limit reached')
    expect(said).toMatchObject([{ limit: 'client connections', max: 100 }])
  },
)

test.each([
  [undefined, 10_000],
  [1_048_576, 10_000],
  [10_300, 10_000],
  [1_024, 812],
  [200, 100],
])('of %s descriptors, client connections may use %i', (descriptors, max) => {
  expect(connectionsMax(descriptors, 148)).toBe(max)
})

/** The application with a connection limit of `max`. */
async function appWithLimit(max: number) {
  const service = await serviceForTest()
  let count = 0
  const onReached = () => {
    count += 1
  }
  const url = await addressWith(service, { server: { ...service.parts.server, connectionLimit: { max, onReached } } })
  return { url, reached: () => count }
}

async function open(url: string): Promise<Held> {
  let text = ''
  let isClosed = false
  const socket = connectTo(url)
    .on('data', (data) => {
      text += data.toString('latin1')
    })
    .on('error', () => undefined) // closed during a request, which resets the connection
    .on('close', () => {
      isClosed = true
    })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return { socket, received: () => text, isClosed: () => isClosed }
}

const body = JSON.stringify({ refresh_token: 'x' })

/** A request in progress: the service waits for its body. */
async function request(url: string): Promise<Held> {
  const held = await open(url)
  held.socket.write(
    `POST /auth/refresh HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  )
  await expect.poll(held.received).toContain('100 Continue')
  return held
}

const get = 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

/** A connection that stays open after one request. */
async function answered(url: string): Promise<Held> {
  const held = await open(url)
  await ask(held)
  return held
}

async function ask({ socket, received }: Held): Promise<void> {
  const before = received().length
  socket.write(get)
  await expect.poll(() => received().slice(before)).toMatch(/^HTTP\/1\.1 200 .*ok/s)
}

/** Runs the calls one after the other. */
async function inOrder<T>(count: number, make: () => Promise<T>): Promise<readonly T[]> {
  const made: T[] = []
  while (made.length < count) made.push(await make())
  return made
}

function closedIn(all: readonly Held[]): number {
  return all.filter((one) => one.isClosed()).length
}
