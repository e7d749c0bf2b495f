import { connect, type Socket } from 'node:net'

/**
 * The load, in a process of its own so that it can have a core of its own: kept connections, one request at a time on each, the
 * tokens in turn. Raw sockets, because a client that costs more than the server would be measured in its place.
 * Takes orders and reports over the channel of `child_process.fork`: see `load.ts`.
 */
export interface LoadTarget {
  readonly host: string
  readonly port: number
  readonly path: string
  /** Whole header lines, one set for each caller. */
  readonly callers: readonly (readonly string[])[]
  readonly connections: number
}

export type LoadOrder =
  | { readonly kind: 'begin'; readonly target: LoadTarget }
  | { readonly kind: 'count' }
  | { readonly kind: 'end' }

/** Answers since `begin`; `atMs` of the same monotonic clock in every report. */
export interface LoadReport {
  readonly answers: number
  readonly refused: number
  readonly firstRefusal: string
  readonly atMs: number
}

interface Running {
  readonly requests: readonly Buffer[]
  readonly target: LoadTarget
  readonly sockets: Set<Socket>
  next: number
  answers: number
  refused: number
  firstRefusal: string
  isEnding: boolean
}

let running: Running | undefined

process.on('message', (order: LoadOrder) => {
  if (order.kind === 'begin') running = begin(order.target)
  else if (running && order.kind === 'end') end(running)
  if (running) report(running)
})

function begin(target: LoadTarget): Running {
  const requests = target.callers.map((lines) =>
    Buffer.from([`GET ${target.path} HTTP/1.1`, `Host: ${target.host}:${target.port}`, ...lines, '', ''].join('\r\n')),
  )
  const fresh = { next: 0, answers: 0, refused: 0, firstRefusal: '', isEnding: false }
  const load: Running = { requests, target, sockets: new Set(), ...fresh }
  for (let index = 0; index < target.connections; index += 1) open(load)
  return load
}

function end(load: Running): void {
  load.isEnding = true
  for (const socket of load.sockets) socket.destroy()
}

function report({ answers, refused, firstRefusal }: Running): void {
  const said: LoadReport = { answers, refused, firstRefusal, atMs: performance.now() }
  process.send?.(said)
}

function open(load: Running): void {
  const socket = connect(load.target.port, load.target.host)
  socket.setNoDelay(true)
  load.sockets.add(socket)
  let pending: Buffer | undefined
  socket.on('connect', () => ask(load, socket))
  socket.on('data', (chunk) => {
    pending = pending ? Buffer.concat([pending, chunk]) : chunk
    const status = statusOfWhole(pending)
    if (status === undefined) return
    if (status >= 200 && status < 300) load.answers += 1
    else refuse(load, pending.toString('latin1', 0, 400))
    pending = undefined
    ask(load, socket)
  })
  socket.on('error', (error) => {
    if (!load.isEnding) refuse(load, error.message)
  })
  socket.on('close', () => {
    load.sockets.delete(socket)
    if (!load.isEnding) setTimeout(() => open(load), 10)
  })
}

function refuse(load: Running, what: string): void {
  load.refused += 1
  load.firstRefusal ||= what
}

function ask(load: Running, socket: Socket): void {
  const request = load.requests[load.next % load.requests.length]
  load.next += 1
  if (request && !load.isEnding) socket.write(request)
}

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('\r\n0\r\n\r\n')

/** The status of an answer that has arrived whole (RFC 9112 §6.3); undefined while some of it is missing. */
function statusOfWhole(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const isWhole = length === undefined ? endsWith(bytes, lastChunk) : bytes.length >= end + 4 + Number(length)
  return isWhole ? Number(head.slice(9, 12)) : undefined
}

function endsWith(bytes: Buffer, tail: Buffer): boolean {
  return bytes.length >= tail.length && bytes.compare(tail, 0, tail.length, bytes.length - tail.length) === 0
}
