import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port on which nothing listens now, for programs that must be given one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The trust boundary to Node: a TCP server has an address of this form.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
