import { connect, type NetConnectOpts, type Socket } from 'node:net'

/** One response of a connection. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Sends bytes as they are, `rest` once something has come back, and returns every response until the server closes the connection.
 */
export async function exchange(url: string, text: string, rest?: string): Promise<readonly RawAnswer[]> {
  return answersIn(await receive(url, text, rest))
}

/** A connection to a service by its address. */
export function connectTo(url: string, options: Partial<NetConnectOpts> = {}): Socket {
  const { hostname, port } = new URL(url)
  return connect({ ...options, port: Number(port), host: hostname.replace(/^\[|\]$/g, '') })
}

/** Everything that comes back until the server closes. */
function receive(url: string, text: string, rest?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(url)
    const received: Buffer[] = []
    socket.on('data', (data) => received.push(data))
    if (rest !== undefined) socket.once('data', () => socket.write(rest))
    socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')))
    socket.on('error', reject)
    socket.write(text)
  })
}

/** The final responses in what came back, by their `Content-Length`. */
function answersIn(text: string): readonly RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n\r\n', at)
    if (end === -1) throw new Error(`no response: ${text.slice(at, at + 200)}`)
    const [line = '', ...fields] = text.slice(at, end).split('\r\n')
    const headers = Object.fromEntries(fields.map((field) => splitField(field)))
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    const length = Number(headers['content-length'] ?? 0)
    at = end + 4 + length
    if (status >= 200) answers.push({ status, headers, body: text.slice(at - length, at) })
  }
  return answers
}

function splitField(field: string): readonly [string, string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
}
