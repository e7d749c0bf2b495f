import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'

/** Writes the head of an answer whose connection stays open: `own` are name, value, name … of headers beside the fixed ones. */
export type WriteHead = (response: ServerResponse, status: 200 | 304, own: readonly string[]) => void

/**
 * Node makes the text of a head anew for every answer and looks at every name and value, which takes as long as all the rest of a
 * kept answer. Here it is put together from texts made before, and given to Node in the member in which Node keeps the one that it
 * makes. That member is nobody's promise: whether this version of Node takes it is tried out first, byte by byte, and where it
 * does not, the head is written the usual way. Source: docs/decisions/kept-answers.md.
 * Names and values are not looked at: they are this service's own, and nothing in them comes from a caller.
 */
export function createReadyHeads(server: Server, fixed: Readonly<Record<string, string>>): WriteHead {
  const usual = usualWriter(fixed)
  if (!isTaken(fixed)) return usual
  const start = headStarts(fixed)
  const { keepAliveTimeout, maxRequestsPerSocket } = server
  const most = maxRequestsPerSocket ? `, max=${maxRequestsPerSocket}` : ''
  const staysOpen = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeout / 1_000)}${most}\r\n\r\n`
  const dateLine = createDateLine()
  return (response, status, own) => {
    if (response.shouldKeepAlive && innards(response).maxRequestsOnConnectionReached !== true)
      giveHead(response, status, `${start[status]}${linesOf(own)}${dateLine()}${staysOpen}`)
    else usual(response, status, own)
  }
}

function usualWriter(fixed: Readonly<Record<string, string>>): WriteHead {
  const head = Object.entries(fixed).flat()
  return (response, status, own) => void response.writeHead(status, [...head, ...own])
}

function headStarts(fixed: Readonly<Record<string, string>>) {
  const lines = linesOf(Object.entries(fixed).flat())
  return { 200: `HTTP/1.1 200 OK\r\n${lines}`, 304: `HTTP/1.1 304 Not Modified\r\n${lines}` }
}

function linesOf(flat: readonly string[]): string {
  let lines = ''
  for (let index = 0; index < flat.length; index += 2) lines += `${flat[index]}: ${flat[index + 1]}\r\n`
  return lines
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
  /** The head as text, once it is made. */
  _header: string | null
  _hasBody: boolean
  /** Of the connection: after `maxRequestsPerSocket` Node closes it, and says so in the head that it makes. */
  maxRequestsOnConnectionReached?: boolean
}

// The one place at which they are reached; TypeScript knows nothing of them.
const innards = (response: ServerResponse) => response as unknown as Innards

function giveHead(response: ServerResponse, status: 200 | 304, head: string): void {
  response.statusCode = status
  const inner = innards(response)
  inner._header = head
  if (status === 304) inner._hasBody = false
}

/** Whether a head that is given leaves as what Node would have made of it, with its body and without one. */
function isTaken(fixed: Readonly<Record<string, string>>): boolean {
  const own = ['date', 'today', 'connection', 'keep-alive']
  const start = headStarts(fixed)
  const usual = usualWriter(fixed)
  return ([200, 304] as const).every((status) => {
    const given = written(status, (response) => giveHead(response, status, `${start[status]}${linesOf(own)}\r\n`))
    return given !== '' && given === written(status, (response) => usual(response, status, own))
  })
}

/** What an answer sends. */
function written(status: number, writeHead: (response: ServerResponse) => void): string {
  let text = ''
  const wire = new Writable({
    write(chunk, _, done) {
      text += String(chunk)
      done()
    },
  })
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  // A socket to the response: it only ever writes to it.
  response.assignSocket(wire as Socket)
  writeHead(response)
  if (status === 304) response.end()
  else response.end('text', 'latin1')
  return text
}
