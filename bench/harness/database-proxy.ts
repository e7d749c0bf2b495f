import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy in front of the database that can cut the connections on which a node looks at the changes, and keep the others. */
export interface DatabaseProxy {
  /** The address of the database through the proxy. */
  readonly url: string
  /** Both ends receive a reset. */
  resetPolling(): void
  /** Drops all data without a reset, as a firewall does that has forgotten a connection. */
  blackholePolling(): void
  close(): Promise<void>
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
  polls: boolean
  isBlackholed: boolean
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const pair: Pair = { near, far, polls: false, isBlackholed: false }
    pairs.add(pair)
    near.on('data', (data) => {
      if (data.includes('change_feed_look')) pair.polls = true
      if (!pair.isBlackholed) far.write(data)
    })
    far.on('data', (data) => {
      if (!pair.isBlackholed) near.write(data)
    })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => to.destroy())
      from.on('close', () => {
        pairs.delete(pair)
        if (!pair.isBlackholed) to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' ? address?.port : '')
  const polling = () => [...pairs].filter(({ polls, isBlackholed }) => polls && !isBlackholed)
  return {
    url: url.href,
    resetPolling() {
      for (const { near, far } of polling()) for (const socket of [near, far]) socket.resetAndDestroy()
    },
    blackholePolling() {
      for (const pair of polling()) pair.isBlackholed = true
    },
    async close() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
