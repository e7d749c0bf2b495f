import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'

/** Which connections carry no byte in either direction. They stay open, and what is sent meanwhile arrives afterwards. */
export type Frozen = 'none' | 'all' | 'polling'

/** A TCP proxy in front of a database. */
export interface FreezableProxy {
  /** The address of the same database through the proxy. */
  readonly url: string
  freeze(frozen: Frozen): void
  refuse(on: boolean): void
  refused(): number
  close(): void
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
  /** It has looked for changes of the database. */
  isPolling: boolean
}

export async function startFreezableProxy(directUrl: string): Promise<FreezableProxy> {
  let frozen: Frozen = 'none'
  const state = { refusing: false, refused: 0 }
  const target = new URL(directUrl)
  const pairs = new Set<Pair>()

  function settle({ near, far, isPolling }: Pair): void {
    const isFrozen = frozen === 'all' || (frozen === 'polling' && isPolling)
    for (const socket of [near, far]) {
      if (isFrozen) socket.pause()
      else socket.resume()
    }
  }

  const server = createServer((near) => {
    if (state.refusing) {
      state.refused += 1
      near.destroy()
      return
    }
    const pair: Pair = { near, far: dial(Number(target.port), target.hostname), isPolling: false }
    pairs.add(pair)
    const { far } = pair
    near.on('data', (data) => {
      if (!pair.isPolling && data.includes('change_feed_look')) {
        pair.isPolling = true
        settle(pair)
      }
      far.write(data)
    })
    far.on('data', (data) => near.write(data))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
    settle(pair)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(directUrl)
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    freeze(which) {
      frozen = which
      for (const pair of pairs) settle(pair)
    },
    refuse(on) {
      state.refusing = on
    },
    refused: () => state.refused,
    close() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy()
      server.close()
    },
  }
}
