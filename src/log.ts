import cluster from 'node:cluster'
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

/**
 * The log: one JSON line an event. An error is written as name, code, message and stack of itself and its causes; other members
 * are left out, because a database puts whole rows into them.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    // The second net; the first is the type `Secret`.
    redact: ['*.authorization', '*.password', '*.apiKey', '*.token', 'authorization', 'password', 'apiKey', 'token'],
  }
  const ours = pino.destination({ dest: 1, minLength: bufferBytes, periodicFlush: flushMs })
  const log = pino(options, destination ?? ours)
  writers.set(log, destination ? (line) => destination.write(line) : together(ours))
  return log
}

/**
 * Writes one line at the level `info` into the same log, from the text of its members, without what pino does for each line: for
 * requests, whose members are few, known, and hold no secret. That costs a tenth. Such lines may stand after later ones of others,
 * by `flushMs` at most.
 */
export function lineWriter(log: Logger): (members: string) => void {
  const write = writers.get(log)
  if (!write || !log.isLevelEnabled('info')) return () => undefined
  let lastMs = 0
  let time = ''
  return (members) => {
    const nowMs = Date.now()
    if (nowMs !== lastMs) time = new Date(nowMs).toISOString()
    lastMs = nowMs
    write(`{"level":30,"time":"${time}",${members}}\n`)
  }
}

const writers = new WeakMap<Logger, (line: string) => void>()

/** Hands over many lines at a time, and what is left at the end of the process. */
function together(to: ReturnType<typeof pino.destination>): (line: string) => void {
  let lines = ''
  function handOver(): void {
    if (lines !== '') to.write(lines)
    lines = ''
  }
  setInterval(handOver, flushMs).unref()
  process.once('exit', () => {
    handOver()
    to.flushSync()
  })
  return (line) => {
    lines += line
    if (lines.length >= bufferBytes - longestLine) handOver()
  }
}

/**
 * Lines leave together, and not one system call each: at the latest after `flushMs`, when the process ends, and at once when it
 * ends by an error. Only `kill -9` loses the last ones. Of several workers each writes less than the 4,096 bytes that a pipe takes in one
 * piece, so that no line is torn by another's.
 */
const bufferBytes = cluster.isWorker ? 2_048 : 8_192
const flushMs = 100
/** About: a path is cut at 200 characters. */
const longestLine = 600

const causesMax = 5

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause = error.cause !== undefined && depth < causesMax ? describeError(error.cause, depth + 1) : undefined
  return { type: error.name, code, message: error.message, stack: error.stack, cause }
}
