import { createConnection, type Socket } from 'node:net'

/**
 * The load, in a process of its own: kept connections, one request at a time on each, requests taken in turn from a list. It
 * reads no more of an answer than status and length, because what it computes takes the machine from what is measured.
 */
export interface LoadOrder {
  readonly host: string
  readonly port: number
  /** Whole requests as they go over the wire. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly ms: number
  /** Ends when each request was sent once, even before the time is over. */
  readonly once: boolean
}

export interface LoadReport {
  readonly answers: number
  readonly seconds: number
  /** How often each status came. */
  readonly statuses: Readonly<Record<string, number>>
  readonly p50Ms: number
  readonly p99Ms: number
}

process.on('message', (order: LoadOrder) => {
  void drive(order).then((report) => process.send?.(report))
})

async function drive({ host, port, requests, connections, ms, once }: LoadOrder): Promise<LoadReport> {
  const bytes = requests.map((text) => Buffer.from(text, 'latin1'))
  const durations: number[] = []
  const statuses: Record<string, number> = {}
  const begunAt = performance.now()
  let next = 0

  function take(): Buffer | undefined {
    if (performance.now() - begunAt >= ms || (once && next >= bytes.length)) return undefined
    next += 1
    return bytes[(next - 1) % bytes.length]
  }

  await Promise.all(
    Array.from({ length: connections }, () =>
      converse(createConnection({ host, port, noDelay: true }), take, (status, took) => {
        statuses[status] = (statuses[status] ?? 0) + 1
        durations.push(took)
      }),
    ),
  )
  const seconds = (performance.now() - begunAt) / 1_000
  durations.sort((one, other) => one - other)
  const at = (share: number) => durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? 0
  return { answers: durations.length, seconds, statuses, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** One connection: a request, its answer, the next request. A server that closes (as many do after a number of requests) is called again. */
function converse(
  socket: Socket,
  take: () => Buffer | undefined,
  answered: (status: string, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let current = socket
    let sentAt = 0
    let received = ''
    let missing = -1

    function send(): void {
      const request = take()
      if (request === undefined) {
        current.destroy()
        resolve()
        return
      }
      sentAt = performance.now()
      received = ''
      missing = -1
      current.write(request)
    }

    function receive(chunk: string): void {
      if (missing < 0) {
        received += chunk
        const end = received.indexOf('\r\n\r\n')
        if (end === -1) return
        missing = lengthOf(received.slice(0, end)) - (received.length - end - 4)
      } else missing -= chunk.length
      if (missing > 0) return
      answered(received.slice(9, 12), performance.now() - sentAt)
      if (/\r\nconnection: close/i.test(received)) reconnect()
      else send()
    }

    function reconnect(): void {
      current.destroy()
      const { remoteAddress: host, remotePort: port } = current
      connect(createConnection({ host: host ?? '127.0.0.1', port: port ?? 0, noDelay: true }))
    }

    function connect(to: Socket): void {
      current = to
      to.setEncoding('latin1').on('connect', send).on('data', receive).on('error', reject)
    }

    connect(socket)
  })
}

function lengthOf(head: string): number {
  const status = head.slice(9, 12)
  if (status === '304' || status === '204') return 0
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error('an answer without Content-Length')
  return Number(length)
}
