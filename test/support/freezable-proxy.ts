import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'

/** Which connections carry no byte in either direction. They stay open, and what is sent meanwhile arrives afterwards. */
export type Frozen = 'none' | 'all' | 'listening'

/** A TCP proxy in front of a database. */
export interface FreezableProxy {
  /** The address of the same database through the proxy. */
  readonly url: string
  freeze(frozen: Frozen): void
  refuse(on: boolean): void
  /** Removes notifications from what the server says. */
  block(on: boolean): void
  refused(): number
  close(): void
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
  isListening: boolean
}

export async function startFreezableProxy(directUrl: string): Promise<FreezableProxy> {
  let frozen: Frozen = 'none'
  const state = { refusing: false, refused: 0, blocking: false }
  const target = new URL(directUrl)
  const pairs = new Set<Pair>()

  function settle({ near, far, isListening }: Pair): void {
    const isFrozen = frozen === 'all' || (frozen === 'listening' && isListening)
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
    const pair: Pair = { near, far: dial(Number(target.port), target.hostname), isListening: false }
    pairs.add(pair)
    const { far } = pair
    const withoutSome = withoutNotifications(() => state.blocking)
    near.on('data', (data) => {
      if (data.includes('listen "muster_changed"')) pair.isListening = true
      far.write(data)
    })
    far.on('data', (data) => near.write(withoutSome(data)))
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
    block(on) {
      state.blocking = on
    },
    refused: () => state.refused,
    close() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy()
      server.close()
    },
  }
}

/** What the server says, without notifications while `isBlocking`. A message is a letter and four bytes of length (itself included); `A` is a notification. */
function withoutNotifications(isBlocking: () => boolean): (data: Buffer) => Buffer {
  let pending = Buffer.alloc(0)
  return (data) => {
    pending = Buffer.concat([pending, data])
    const passed: Buffer[] = []
    while (pending.length >= 5 && pending.length >= 1 + pending.readUInt32BE(1)) {
      const message = pending.subarray(0, 1 + pending.readUInt32BE(1))
      if (!(isBlocking() && message[0] === 0x41)) passed.push(message)
      pending = pending.subarray(message.length)
    }
    return Buffer.concat(passed)
  }
}
