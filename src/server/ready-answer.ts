import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'

/** An answer without a body (304) or with a text, of which it is known how many bytes it has. */
export type ReadyBody =
  | { readonly status: 304 }
  | { readonly status: 200; readonly text: string; readonly bytes: number }

/** Sends an answer and ends it: `own` are name, value, name … of headers beside the fixed ones and the length. */
export type SendReady = (response: ServerResponse, body: ReadyBody, own: readonly string[]) => void

/**
 * Node makes the text of a head anew for every answer, looks at every name and value, and hands head and body to the system in two
 * pieces; that takes longer than all the rest of a kept answer. Here the head is put together from texts made before, and leaves in
 * one piece with the body, on the response's own socket. Node is told so in the members in which it notes the same of a head that
 * it has sent. Those members are nobody's promise: whether this version of Node takes them is tried out first, byte by byte, and
 * where it does not, answers are sent the usual way. Source: docs/decisions/kept-answers.md.
 * Names and values are not looked at: they are this service's own, and nothing in them comes from a caller.
 */
export function createReadySender(server: Server, fixed: Readonly<Record<string, string>>): SendReady {
  const usual = usualSender(fixed)
  const start = headStarts(fixed)
  if (!isTaken(start, usual)) return usual
  const { keepAliveTimeout, maxRequestsPerSocket } = server
  const most = maxRequestsPerSocket ? `, max=${maxRequestsPerSocket}` : ''
  const staysOpen = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeout / 1_000)}${most}\r\n`
  const dateLine = createDateLine()
  return (response, body, own) => {
    const { socket, shouldKeepAlive } = response
    // A connection that is to be closed gets Node's own head; one whose last answer is still on its way, Node's own queue.
    if (!socket?.writable || !shouldKeepAlive || innards(response).maxRequestsOnConnectionReached === true)
      usual(response, body, own)
    else
      give(response, socket, body, `${start[body.status]}${linesOf(own)}${lengthLine(body)}${dateLine()}${staysOpen}`)
  }
}

function usualSender(fixed: Readonly<Record<string, string>>): SendReady {
  const heads = headsOf(fixed)
  return (response, body, own) => {
    const head = [...heads[body.status], ...own]
    if (body.status === 304) response.writeHead(304, head).end()
    else
      response
        .writeHead(200, [...head, 'content-length', String(body.bytes)])
        .end(body.text, encodingOf(body.text, body.bytes))
  }
}

/** Node writes a text of one byte a character faster, and so it is told which this is. */
function encodingOf(text: string, bytes: number): 'latin1' | 'utf8' {
  return bytes === text.length ? 'latin1' : 'utf8'
}

function headStarts(fixed: Readonly<Record<string, string>>) {
  const heads = headsOf(fixed)
  return {
    200: `HTTP/1.1 200 OK\r\n${linesOf(heads[200])}`,
    304: `HTTP/1.1 304 Not Modified\r\n${linesOf(heads[304])}`,
  }
}

/** RFC 9110 §15.4.5: a 304 says nothing of the representation that is not needed to keep it up to date. */
function headsOf(fixed: Readonly<Record<string, string>>) {
  const { 'content-type': _, ...kept } = fixed
  return { 200: Object.entries(fixed).flat(), 304: Object.entries(kept).flat() }
}

function linesOf(flat: readonly string[]): string {
  let lines = ''
  for (let index = 0; index < flat.length; index += 2) lines += `${flat[index]}: ${flat[index + 1]}\r\n`
  return lines
}

function lengthLine(body: ReadyBody): string {
  return body.status === 304 ? '' : `content-length: ${body.bytes}\r\n`
}

/** RFC 9110 §6.6.1, made once a second. */
function createDateLine(): () => string {
  let second = 0
  let line = ''
  return () => {
    const now = Math.floor(Date.now() / 1_000)
    if (now !== second) line = `Date: ${new Date(now * 1_000).toUTCString()}\r\n`
    second = now
    return line
  }
}

/** Members of Node's own that it declares to nobody. `isTaken` finds out whether they are what they are taken for. */
interface Innards {
  /** The head as text, once it is made, and whether it has left. */
  _header: string | null
  _headerSent: boolean
  /** Of the connection: after `maxRequestsPerSocket` Node closes it, and says so in the head that it makes. */
  maxRequestsOnConnectionReached?: boolean
}

// The one place at which they are reached; TypeScript knows nothing of them.
const innards = (response: ServerResponse) => response as unknown as Innards

/** `lines` are all of the head but the empty line that ends it. */
function give(response: ServerResponse, socket: Writable, body: ReadyBody, lines: string): void {
  response.statusCode = body.status
  const inner = innards(response)
  inner._header = `${lines}\r\n`
  inner._headerSent = true
  if (body.status === 304) socket.write(inner._header, 'latin1')
  else socket.write(inner._header + body.text, encodingOf(body.text, body.bytes))
  response.end()
}

/** Whether an answer that is given leaves as what Node would have made of it. */
function isTaken(start: ReturnType<typeof headStarts>, usual: SendReady): boolean {
  const own = ['date', 'today', 'connection', 'keep-alive']
  const bodies: readonly ReadyBody[] = [{ status: 304 }, { status: 200, text: '{}', bytes: 2 }]
  return bodies.every((body) => {
    const lines = `${start[body.status]}${linesOf(own)}${lengthLine(body)}`
    const given = written((response, wire) => give(response, wire, body, lines))
    return given !== '' && given === written((response) => usual(response, body, own))
  })
}

/** What an answer sends, of which Node believes that it is over. */
function written(send: (response: ServerResponse, wire: Writable) => void): string {
  let text = ''
  const wire = new Writable({
    write(chunk, _, done) {
      text += String(chunk)
      done()
    },
  })
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  // A socket to the response: it only ever writes to it.
  response.assignSocket(wire as Socket)
  send(response, wire)
  return response.writableEnded ? text : ''
}
