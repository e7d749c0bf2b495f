import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A wire to the database on which the connections that listen can be cut, and the others go on. */
export interface Wire {
  /** The address of the database over the wire. */
  readonly url: string
  /** Both ends see a reset. */
  resetListeners(): void
  /** Nothing passes any more and nobody is told, as when a firewall forgets a connection. */
  swallowListeners(): void
  close(): Promise<void>
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
  listens: boolean
  isSwallowed: boolean
}

export async function startWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const pair: Pair = { near, far, listens: false, isSwallowed: false }
    pairs.add(pair)
    near.on('data', (data) => {
      if (data.includes('listen "muster_changed"')) pair.listens = true
      if (!pair.isSwallowed) far.write(data)
    })
    far.on('data', (data) => {
      if (!pair.isSwallowed) near.write(data)
    })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => to.destroy())
      from.on('close', () => {
        pairs.delete(pair)
        if (!pair.isSwallowed) to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' ? address?.port : '')
  const listeners = () => [...pairs].filter(({ listens, isSwallowed }) => listens && !isSwallowed)
  return {
    url: url.href,
    resetListeners() {
      for (const { near, far } of listeners()) for (const socket of [near, far]) socket.resetAndDestroy()
    },
    swallowListeners() {
      for (const pair of listeners()) pair.isSwallowed = true
    },
    async close() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
