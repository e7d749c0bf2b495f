import { once } from 'node:events'
import { createServer, type TLSSocket } from 'node:tls'
import { untrustedCert, untrustedKey } from './untrusted-tls.ts'

/**
 * A server that speaks HTTP/2 frame by frame (RFC 9113), so that it can break every rule of it. What it does with each call is told in
 * advance, call by call; calls beyond that are answered by `yes`.
 */
export interface Http2Server {
  readonly url: string
  /** What the next calls meet, one after the other. */
  next(...reactions: readonly Reaction[]): void
  /** How often there was a connection, and a call. */
  readonly seen: { readonly connections: number; readonly calls: number }
  close(): void
}

export type Reaction = (socket: TLSSocket, stream: number) => void

const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, push: 5, goAway: 7, continuation: 9 } as const
const endStream = 0x1
const endHeaders = 0x4

/** RFC 9113 §4.1. */
export function frame(
  type: keyof typeof frameTypes,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(frameTypes[type], 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A header block without table and without Huffman code (RFC 7541 §6.2.2). `:status` is number 8 of the static table. */
function headerBlock(status: number, fields: Readonly<Record<string, string>> = {}): Buffer {
  const text = (value: string) => Buffer.concat([length(value.length), Buffer.from(value)])
  const named = Object.entries(fields).map(([name, value]) => Buffer.concat([Buffer.of(0), text(name), text(value)]))
  return Buffer.concat([Buffer.of(0x08), text(String(status)), ...named])
}

/** An integer with a prefix of seven bits (RFC 7541 §5.1). */
function length(value: number): Buffer {
  if (value < 127) return Buffer.of(value)
  const bytes = [127]
  let rest = value - 127
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

export function headers(stream: number, status: number, fields?: Readonly<Record<string, string>>): Buffer {
  return frame('headers', endHeaders, stream, headerBlock(status, fields))
}

export function data(stream: number, text: string, isLast = true): Buffer {
  return frame('data', isLast ? endStream : 0, stream, Buffer.from(text))
}

export function answer(stream: number, status: number, body: object): Buffer {
  return Buffer.concat([
    headers(stream, status, { 'content-type': 'application/json' }),
    data(stream, JSON.stringify(body)),
  ])
}

/** RFC 9113 §6.4; codes in §7. */
export function reset(stream: number, code: number): Buffer {
  return frame('reset', 0, stream, uint32s(code))
}

/** RFC 9113 §6.8. */
export function goAway(lastStream: number, code: number): Buffer {
  return frame('goAway', 0, 0, uint32s(lastStream, code))
}

export function uint32s(...values: readonly number[]): Buffer {
  const payload = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) payload.writeUInt32BE(value, index * 4)
  return payload
}

export async function startHttp2Server(yes: Reaction): Promise<Http2Server> {
  const seen = { connections: 0, calls: 0 }
  const open = new Set<TLSSocket>()
  const reactions: Reaction[] = []
  // A connection that the client ends stays open on this side.
  const options = { key: untrustedKey, cert: untrustedCert, ALPNProtocols: ['h2'], allowHalfOpen: true }
  const server = createServer(options, (socket) => {
    seen.connections += 1
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    socket.write(frame('settings', 0, 0))
    readFrames(socket, ({ type, flags, stream }) => {
      if (type === frameTypes.settings && flags === 0) socket.write(frame('settings', 1, 0))
      if (type !== frameTypes.headers) return
      seen.calls += 1
      const react = reactions.shift() ?? yes
      react(socket, stream)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `https://127.0.0.1:${port}`,
    next: (...more) => void reactions.push(...more),
    seen,
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

const prefaceBytes = 24

function readFrames(
  socket: TLSSocket,
  onFrame: (head: { readonly type: number; readonly flags: number; readonly stream: number }) => void,
): void {
  let unread = Buffer.alloc(0)
  let toSkip = prefaceBytes
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk])
    while (unread.length >= toSkip + 9) {
      const head = unread.subarray(toSkip)
      const frameBytes = 9 + head.readUIntBE(0, 3)
      if (head.length < frameBytes) return
      unread = head.subarray(frameBytes)
      toSkip = 0
      onFrame({ type: head.readUInt8(3), flags: head.readUInt8(4), stream: head.readUInt32BE(5) & 0x7fffffff })
    }
  })
}
