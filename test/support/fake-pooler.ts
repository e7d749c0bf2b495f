import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Behaves as PgBouncer does where a client can see it: it sends a process id of its own with the key for cancelling, and refuses
 * start-up parameters that it does not know, unless they are to be ignored. Returns the URL through it.
 */
export async function fakePooler(url: string, { ignoresParameters }: { ignoresParameters: boolean }): Promise<string> {
  const target = new URL(url)
  const { hostname, port } = target
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (start) => {
      if (!ignoresParameters && start.includes('statement_timeout')) return void socket.end(refusal)
      const through = connect(Number(port), hostname).on('error', () => undefined)
      through.on('data', (data) => socket.write(withOtherPid(data)))
      through.on('close', () => socket.destroy())
      through.write(start)
      socket.pipe(through)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  target.port = String((server.address() as AddressInfo).port)
  return target.href
}

/** ErrorResponse: severity FATAL, SQLSTATE 08P01. */
const refusal = (() => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0')
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  return Buffer.concat([Buffer.from('E'), length, fields])
})()

/** BackendKeyData: `K`, its length 12, the process id, the key. */
function withOtherPid(data: Buffer): Buffer {
  const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
  if (at !== -1 && at + 9 <= data.length) data.writeInt32BE(1_234_567, at + 5)
  return data
}
