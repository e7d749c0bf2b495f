import cluster from 'node:cluster'
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

/**
 * The log: one JSON line an event. An error is written as name, code, message and stack of itself and its causes; other members
 * are left out, because a database puts whole rows into them. `base` stands in every line.
 */
export function createLog(
  level: string,
  { destination, base = {} }: { destination?: DestinationStream; base?: Readonly<Record<string, number>> } = {},
): Logger {
  const options = {
    level,
    base,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    // The second net; the first is the type `Secret`.
    redact: ['*.authorization', '*.password', '*.apiKey', '*.token', 'authorization', 'password', 'apiKey', 'token'],
  }
  const { to, writeTogether } = destination ? given(destination) : output()
  const log = pino(options, to)
  writers.set(log, { writeTogether, members: JSON.stringify(base).slice(1, -1) })
  return log
}

/** Takes what makes a line; lines are made and written many at a time. */
type WriteTogether = (makeLine: () => string) => void

function given(to: DestinationStream): { to: DestinationStream; writeTogether: WriteTogether } {
  return { to, writeTogether: (makeLine) => to.write(makeLine()) }
}

/** Standard output. */
function output() {
  const to = pino.destination({ dest: 1, minLength: bufferBytes, periodicFlush: flushMs })
  return { to, writeTogether: together(to) }
}

/**
 * Writes one line at the level `info` into the same log for each entry, without what pino does for each line: for requests, whose
 * members are few, known, and hold no secret. `membersOf` gives the text of the members of a JSON object; it is called later, with
 * many entries in a row, which takes a third of the time. Such lines may stand after later ones of others, by `flushMs` at most.
 */
export function lineWriter<Entry>(log: Logger, membersOf: (entry: Entry) => string): (entry: Entry) => void {
  const writer = writers.get(log)
  if (!writer) throw new Error('Lines are written into a log of createLog, and not into a child of one.')
  if (!log.isLevelEnabled('info')) return () => undefined
  const { writeTogether, members: base } = writer
  const always = base === '' ? '' : `${base},`
  let lastMs = 0
  let time = ''
  return (entry) => {
    const nowMs = Date.now()
    if (nowMs !== lastMs) time = new Date(nowMs).toISOString()
    lastMs = nowMs
    const at = time
    writeTogether(() => `{"level":30,"time":"${at}",${always}${membersOf(entry)}}\n`)
  }
}

const writers = new WeakMap<Logger, { readonly writeTogether: WriteTogether; readonly members: string }>()

/** Makes and hands over many lines at a time, and what is left at the end of the process. */
function together(to: ReturnType<typeof pino.destination>): WriteTogether {
  let waiting: (() => string)[] = []
  function handOver(): void {
    const making = waiting
    waiting = []
    for (let first = 0; first < making.length; first += linesTogether)
      to.write(making.slice(first, first + linesTogether).reduce((lines, makeLine) => lines + makeLine(), ''))
  }
  setInterval(handOver, flushMs).unref()
  process.once('exit', () => {
    handOver()
    to.flushSync()
  })
  return (makeLine) => {
    waiting.push(makeLine)
    if (waiting.length === waitingMax) handOver()
  }
}

/**
 * Lines leave together, and not one system call each: at the latest after `flushMs`, when the process ends, and at once when it
 * ends by an error. Only `kill -9` loses the last ones. Of several workers each writes less than the 4,096 bytes that a pipe takes in one
 * piece, so that no line is torn by another's.
 */
const bufferBytes = cluster.isWorker ? 2_048 : 8_192
const flushMs = 100
/** A line has some 700 bytes at most: a path is cut at 200 characters. */
const linesTogether = Math.floor(bufferBytes / 700)
const waitingMax = 64

const causesMax = 5

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause = error.cause !== undefined && depth < causesMax ? describeError(error.cause, depth + 1) : undefined
  return { type: error.name, code, message: error.message, stack: error.stack, cause }
}
