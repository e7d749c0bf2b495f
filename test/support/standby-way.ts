import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/** A way to a server, for a URL with several hosts. */
export interface StandbyWay {
  /** Host and port. */
  readonly host: string
  /** New connections are read-only, as those to a standby are. */
  isReadOnly: boolean
}

/** Until the end of the test. */
export async function standbyWay(url: string): Promise<StandbyWay> {
  const { hostname, port } = new URL(url)
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (start) => {
      const through = connect(Number(port), hostname).on('error', () => undefined)
      through.write(way.isReadOnly ? withReadOnly(start) : start)
      socket.pipe(through).pipe(socket)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const way: StandbyWay = { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, isReadOnly: false }
  return way
}

/** StartupMessage: its length, the version of the protocol, pairs of names and values, and a zero byte. */
function withReadOnly(start: Buffer): Buffer {
  const pairs = start.subarray(0, -1)
  const changed = Buffer.concat([pairs, Buffer.from('options\0-c default_transaction_read_only=on\0\0')])
  changed.writeInt32BE(changed.length)
  return changed
}
