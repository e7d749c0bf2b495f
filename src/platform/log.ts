import { setTimeout as pause } from 'node:timers/promises'
import { type DestinationStream, type Logger, pino } from 'pino'
import { terminalLine } from './terminal-line.ts'

/**
 * Creates the log: one JSON line per event, or readable text on a terminal. Every line contains the members of `base`.
 * Of an error and its causes, the log has name, code, message and stack only: a database error contains whole rows.
 */
export function createLog(
  level: string,
  { destination, base = {} }: { destination?: DestinationStream; base?: Readonly<Record<string, number>> } = {},
): Logger {
  const target = destination ?? standardOutput((lines) => log.warn({ lines }, 'log lines dropped'))
  const options = { level, base, timestamp: createTimestamp(), serializers: { err: describeError } }
  // A second safeguard beside the type `Secret`.
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
  const log: Logger = pino({ ...options, redact }, target)
  unredactedLogs.set(log, pino(options, target))
  return log
}

/** The same log without redaction, which takes longer than writing the line. Only for lines with fixed members and no secrets. */
export function unredactedLog(log: Logger): Logger {
  return unredactedLogs.get(log) ?? log
}

const unredactedLogs = new WeakMap<Logger, Logger>()

/** RFC 3339. Formats at most once per millisecond. */
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
 * Writes to stdout from a worker thread, so that a blocked stdout never blocks the service. `onDropped` receives the number of lost
 * lines. Writes in batches, because one write costs as much as a whole response: at the latest after `flushMs`, and when the process
 * exits. Only `kill -9` loses the last lines.
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
  const flushBatch = () => {
    writeBatch()
    out.flush()
  }
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
      // One timer for each batch: an idle process has none.
      if (length === 0) setTimeout(flushBatch, flushMs).unref()
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
 * Resolves when all lines are written, or after `timeoutMs` if stdout is blocked. Call it before `process.exit`, which also ends the
 * worker thread.
 */
export async function flushLog(log: Logger, timeoutMs = 2_000): Promise<void> {
  const done = new Promise<void>((resolve) => log.flush(() => resolve()))
  await Promise.race([done, pause(timeoutMs, undefined, { ref: false })])
}

const batches = { minLength: 65_536, maxWrite: 131_072 }
const flushMs = 100
/** Buffer while stdout is blocked. When it is full, lines are dropped. */
const bufferedBytesMax = 16 * 1_024 * 1_024

const causesMax = 5

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause = error.cause !== undefined && depth < causesMax ? describeError(error.cause, depth + 1) : undefined
  return { type: error.name, code, message: error.message, stack: error.stack, cause }
}
