import { setTimeout } from 'node:timers/promises'
import { type DestinationStream, type Logger, pino } from 'pino'
import { terminalLine } from './terminal-line.ts'

/**
 * The log: one JSON line for each event, which a terminal shows in plain words. An error is logged as the name, code, message and stack of itself and of its causes; its other
 * members are omitted, because a database error contains whole rows. Every line contains `base`.
 */
export function createLog(
  level: string,
  { destination, base = {} }: { destination?: DestinationStream; base?: Readonly<Record<string, number>> } = {},
): Logger {
  const to = destination ?? standardOutput((lines) => log.warn({ lines }, 'log lines dropped'))
  const options = { level, base, timestamp: createTimestamp(), serializers: { err: describeError } }
  // A second safeguard; the first is the type `Secret`.
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
 * The same log without redaction, which takes longer than the line itself: for lines with fixed members and without secrets, such as
 * those of requests.
 */
export function plainLog(log: Logger): Logger {
  return plainLogs.get(log) ?? log
}

const plainLogs = new WeakMap<Logger, Logger>()

/** RFC 3339, formatted once a millisecond. */
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
 * Another thread writes, so that a stopped reader of standard output does not stop the service; `onDropped` gets the number of lines lost.
 * Lines are written in batches, because one write costs as much as a whole response: after `flushMs` at the latest, and when the process
 * exits. Only `kill -9` loses the last ones.
 */
function standardOutput(onDropped: (lines: number) => void): DestinationStream & { flush(done?: () => void): void } {
  const out = pino.destination({ dest: 1, sync: false, maxLength: bufferedBytesMax, ...batches })
  const textOf = (line: string) => (process.stdout.isTTY ? terminalLine(line, process.stdout.columns) : line)
  let lines: string[] = []
  let length = 0
  const writeBatch = () => {
    if (length === 0) return
    const text = lines.join('')
    lines = []
    length = 0
    out.write(text)
  }
  setInterval(() => {
    writeBatch()
    out.flush()
  }, flushMs).unref()
  process.once('exit', () => {
    writeBatch()
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
    write(json) {
      const line = textOf(json)
      lines.push(line)
      length += line.length
      if (length >= batches.minLength) writeBatch()
    },
    flush(done = () => undefined) {
      writeBatch()
      out.flush(done)
    },
  }
}

/**
 * Resolves when all lines are written. Call it before `process.exit`, which ends the writing thread too. A stopped reader delays it by
 * `timeoutMs` at most.
 */
export async function flushed(log: Logger, timeoutMs = 2_000): Promise<void> {
  const done = new Promise<void>((resolve) => log.flush(() => resolve()))
  await Promise.race([done, setTimeout(timeoutMs, undefined, { ref: false })])
}

const batches = { minLength: 65_536, maxWrite: 131_072 }
const flushMs = 100
/** For lines that standard output does not accept yet; further lines are dropped. */
const bufferedBytesMax = 16 * 1_024 * 1_024

const causesMax = 5

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause = error.cause !== undefined && depth < causesMax ? describeError(error.cause, depth + 1) : undefined
  return { type: error.name, code, message: error.message, stack: error.stack, cause }
}
