import cluster from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * The log: one JSON line an event. An error is written as name, code, message and stack of itself and its causes; other members
 * are left out, because a database puts whole rows into them. `base` stands in every line.
 */
export function createLog(
  level: string,
  { destination, base = {} }: { destination?: DestinationStream; base?: Readonly<Record<string, number>> } = {},
): Logger {
  const to = destination ?? standardOutput((lines) => log.warn({ lines }, 'log lines dropped'))
  const options = { level, base, timestamp: createTimestamp(), serializers: { err: describeError } }
  // The second net; the first is the type `Secret`.
  const redact = [
    '*.authorization',
    '*.password',
    '*.apiKey',
    '*.token',
    'authorization',
    'password',
    'apiKey',
    'token',
  ]
  const log: Logger = pino({ ...options, redact }, to)
  plainLogs.set(log, pino(options, to))
  return log
}

/**
 * The same log without the search for members to redact, which takes longer than the line: for lines whose members are fixed and
 * hold no secret, such as those of requests.
 */
export function plainLog(log: Logger): Logger {
  return plainLogs.get(log) ?? log
}

const plainLogs = new WeakMap<Logger, Logger>()

/** RFC 3339, made once a millisecond. */
function createTimestamp(): () => string {
  let lastMs = 0
  let text = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== lastMs) text = `,"time":"${new Date(nowMs).toISOString()}"`
    lastMs = nowMs
    return text
  }
}

/**
 * Written by another thread, so that a reader that has stopped does not stop the service; `onDropped` counts the lines lost. Lines
 * leave together, because each piece costs as much as a whole answer: at the latest after `flushMs`, when the process ends, and at once
 * when it ends by an error; only `kill -9` loses the last ones.
 */
function standardOutput(onDropped: (lines: number) => void): DestinationStream & { flush(done?: () => void): void } {
  const out = pino.destination({ dest: 1, sync: false, maxLength: waitingBytesMax, ...pieces })
  let lines: string[] = []
  let length = 0
  const handOver = () => {
    if (length === 0) return
    const text = lines.join('')
    lines = []
    length = 0
    out.write(text)
  }
  setInterval(() => {
    handOver()
    out.flush()
  }, flushMs).unref()
  process.once('exit', () => {
    handOver()
    out.flushSync()
  })
  let dropped = 0
  out.on('drop', (text) => {
    dropped += text.split('\n').length - 1
  })
  out.on('drain', () => {
    const count = dropped
    dropped = 0
    if (count > 0) onDropped(count)
  })
  return {
    write(line) {
      lines.push(line)
      length += line.length
      if (length >= pieces.minLength) handOver()
    },
    flush(done = () => undefined) {
      handOver()
      out.flush(done)
    },
  }
}

/**
 * Resolves when what was logged is written, before a process is ended by its own word: the end cuts what another thread has in
 * hand. Waits for a reader that has stopped no longer than `patienceMs`.
 */
export async function written(log: Logger, patienceMs = 2_000): Promise<void> {
  const done = new Promise<void>((resolve) => log.flush(() => resolve()))
  await Promise.race([done, setTimeout(patienceMs, undefined, { ref: false })])
}

/**
 * Of several workers no piece is longer than the 4,096 bytes that a pipe takes at once, so that no line is torn by another's: a
 * request's line has 700 at most, for its path is cut at 200 characters.
 */
const pieces = cluster.isWorker ? { minLength: 2_048, maxWrite: 4_096 } : { minLength: 65_536, maxWrite: 131_072 }
const flushMs = 100
/** Of what waits for a reader that has stopped reading. */
const waitingBytesMax = 16 * 1_024 * 1_024

const causesMax = 5

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause = error.cause !== undefined && depth < causesMax ? describeError(error.cause, depth + 1) : undefined
  return { type: error.name, code, message: error.message, stack: error.stack, cause }
}
