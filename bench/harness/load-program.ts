import { createConnection, type Socket } from 'node:net'
import { cpuMsOf } from './processes.ts'

/**
 * The load generator in a separate process: open connections, one request at a time on each, requests taken in turn from a list. Reads only
 * the status and the end of an answer, because its own work takes CPU from the measured process.
 */
export interface LoadOrder {
  readonly host: string
  readonly port: number
  /** The server process whose CPU is measured. */
  readonly pid: number
  /** Whole requests as sent over the wire. */
  readonly requests: readonly string[]
  readonly connections: number
  /** The expected status. Any other one ends the run. */
  readonly expected: string
  readonly leadInMs: number
  readonly ms: number
  /** Ends when each request was sent once, even before the time is over. */
  readonly once: boolean
}

/** Everything except `statuses` and `failure` covers the time between lead-in and end. */
export interface LoadReport {
  readonly answers: number
  readonly seconds: number
  /** User and system time of the server. */
  readonly cpuMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The number of answers by status, from the first request to the last. */
  readonly statuses: Readonly<Record<string, number>>
  /** Why the run ended early. */
  readonly failure?: string
}

process.on('message', (order: LoadOrder) => {
  void drive(order).then((report) => process.send?.(report))
})

/** Resolves when the last request is answered: an open request would count in the next run, which measures another server. */
async function drive(order: LoadOrder): Promise<LoadReport> {
  const { host, port, pid, expected, leadInMs, once } = order
  const mark = () => ({ atMs: performance.now(), cpuMs: cpuMsOf(pid) })
  const requests = order.requests.map((text) => Buffer.from(text, 'latin1'))
  const statuses: Record<string, number> = {}
  let durations: number[] = []
  let next = 0
  let started = mark()
  let ended: typeof started | undefined
  let failure: string | undefined

  function take(): Buffer | undefined {
    if (ended !== undefined || (once && next >= requests.length)) return undefined
    next += 1
    return requests[(next - 1) % requests.length]
  }

  function answered(text: string, took: number): void {
    const status = text.slice(9, 12)
    statuses[status] = (statuses[status] ?? 0) + 1
    if (ended === undefined) durations.push(took)
    if (status !== expected) fail(`expected ${expected}: ${text.slice(0, 400)}`)
  }

  function begin(): void {
    durations = []
    started = mark()
  }

  function end(): void {
    ended ??= mark()
  }

  function fail(what: string): void {
    failure ??= what
    end()
  }

  const timers = [setTimeout(end, leadInMs + order.ms), ...(leadInMs > 0 ? [setTimeout(begin, leadInMs)] : [])]
  const allowSleep = stayAwake()
  await Promise.all(Array.from({ length: order.connections }, () => converse({ host, port, take, answered, fail })))
  allowSleep()
  for (const timer of timers) clearTimeout(timer)
  const { atMs, cpuMs } = ended ?? mark()
  return {
    ...latencyOf(durations),
    seconds: (atMs - started.atMs) / 1_000,
    cpuMs: cpuMs - started.cpuMs,
    statuses,
    ...(failure !== undefined && { failure }),
  }
}

/**
 * Keeps this process busy until the returned function is called. Otherwise sending would wake a sleeping core, and that time would count as
 * the server's, more for a slow server than for a fast one.
 */
function stayAwake(): () => void {
  let turn: NodeJS.Immediate
  function next(): void {
    turn = setImmediate(next)
  }
  next()
  return () => clearImmediate(turn)
}

function latencyOf(durations: number[]) {
  const answers = durations.sort((one, other) => one - other).length
  const at = (share: number) => durations[Math.min(answers - 1, Math.floor(answers * share))] ?? 0
  return { answers, p50Ms: at(0.5), p99Ms: at(0.99) }
}

interface Conversation {
  readonly host: string
  readonly port: number
  /** The next request; undefined if there is none. */
  readonly take: () => Buffer | undefined
  /** `text` starts with the complete head. */
  readonly answered: (text: string, ms: number) => void
  readonly fail: (what: string) => void
}

/** Longer than any measured answer takes. */
const silenceMsMax = 30_000
const lastChunk = '\r\n0\r\n\r\n'

/**
 * One connection: a request, its answer, the next request. Reconnects if the server announces that it closes the connection, as many do
 * after a number of requests.
 */
function converse({ host, port, take, answered, fail }: Conversation): Promise<void> {
  return new Promise((resolve) => {
    let current: Socket | undefined
    let sentAt = 0
    /** The head and the bytes that arrived with it. */
    let text = ''
    let isHeadComplete = false
    /** Missing bytes of the body; undefined if the body is chunked. */
    let missing: number | undefined
    let tail = ''

    function connect(): void {
      const socket = createConnection({ host, port, noDelay: true }).setEncoding('latin1')
      current = socket
      socket.setTimeout(silenceMsMax, () => socket.destroy(new Error(`no answer in ${silenceMsMax} ms`)))
      socket.on('connect', send).on('data', receive)
      socket.on('error', ({ message }) => fail(message))
      socket.on('close', () => {
        if (socket !== current) return
        fail('the server closed a connection without notice')
        resolve()
      })
    }

    function hangUp(): void {
      const socket = current
      current = undefined
      socket?.destroy()
    }

    function send(): void {
      const request = take()
      if (request === undefined) {
        hangUp()
        resolve()
        return
      }
      text = ''
      tail = ''
      isHeadComplete = false
      sentAt = performance.now()
      current?.write(request)
    }

    function receive(chunk: string): void {
      if (!(isHeadComplete ? endsBody(chunk) : endsInFirst(chunk))) return
      answered(text, performance.now() - sentAt)
      if (/\r\nconnection: close/i.test(text)) {
        hangUp()
        connect()
      } else send()
    }

    function endsInFirst(chunk: string): boolean {
      text += chunk
      const end = text.indexOf('\r\n\r\n')
      if (end === -1) return false
      isHeadComplete = true
      missing = lengthOf(text.slice(0, end))
      // Includes the end of the head, because an empty chunked body is only the last chunk.
      return endsBody(missing === undefined ? text.slice(end) : text.slice(end + 4))
    }

    function endsBody(chunk: string): boolean {
      if (missing !== undefined) {
        missing -= chunk.length
        return missing <= 0
      }
      tail = chunk.length < lastChunk.length ? tail + chunk : chunk
      return tail.endsWith(lastChunk)
    }

    connect()
  })
}

/** RFC 9112 §6.3. Every measured server sends the length or chunks. */
function lengthOf(head: string): number | undefined {
  const status = head.slice(9, 12)
  if (status === '304' || status === '204') return 0
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  return length === undefined ? undefined : Number(length)
}
