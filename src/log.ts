import cluster from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
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
  const writer = destination ? given(destination) : standardOutput()
  const log = pino(options, writer.to)
  writer.whenLost((lines) => log.warn({ lines }, 'lines of the log were lost: they were read too slowly'))
  writers.set(log, { ...writer, members: JSON.stringify(base).slice(1, -1) })
  return log
}

/** Takes whole lines. */
interface Writer {
  /** With `flush` where lines wait on their way; pino hands on what is asked of the log. */
  readonly to: DestinationStream & { flush?(done: (error?: Error) => void): void }
  /** So many entries wait for each other before their lines are made. */
  readonly entriesMax: number
  /** Calls back for those that wait. */
  readonly whenDue: (handOver: () => void) => void
  /** Calls back when lines can be written again after so many were lost. */
  readonly whenLost: (tell: (lines: number) => void) => void
}

function given(to: DestinationStream): Writer {
  return { to, entriesMax: 1, whenDue: () => undefined, whenLost: () => undefined }
}

/** Written by another thread, so that a reader that has stopped does not stop the service. */
function standardOutput(): Writer {
  const out = pino.destination({
    dest: 1,
    // A text would be encoded three times on its way.
    contentMode: 'buffer',
    maxLength: waitingBytesMax,
    ...pieces,
  })
  // Its types know of texts alone, whatever the mode.
  const write = out.write.bind(out) as unknown as (bytes: Buffer) => boolean
  const waiting: (() => void)[] = []
  const handOver = () => {
    for (const hand of waiting) hand()
  }
  setInterval(() => {
    handOver()
    out.flush()
  }, flushMs).unref()
  process.once('exit', () => {
    handOver()
    out.flushSync()
  })
  return {
    to: {
      write: (lines) => void write(Buffer.from(lines)),
      flush(done) {
        handOver()
        out.flush(done)
      },
    },
    entriesMax,
    whenDue: (hand) => void waiting.push(hand),
    whenLost(tell) {
      let lost = 0
      out.on('drop', (lines) => {
        lost += countLines(lines)
      })
      out.on('drain', () => {
        const lines = lost
        lost = 0
        if (lines > 0) tell(lines)
      })
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

function countLines(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => (byte === newline ? count + 1 : count), 0)
}

const newline = 10

/**
 * Writes one line at the level `info` into the same log for each entry, without what pino does for each line: for requests, whose
 * members are few, known, and hold no secret. `membersOf` gives the text of the members of a JSON object; it is called later, with
 * many entries in a row, which takes a third of the time. Such lines may stand after later ones of others, by `flushMs` at most.
 */
export function lineWriter<Entry>(log: Logger, membersOf: (entry: Entry) => string): (entry: Entry) => void {
  const writer = writers.get(log)
  if (!writer) throw new Error('Lines are written into a log of createLog, and not into a child of one.')
  if (!log.isLevelEnabled('info')) return () => undefined
  const { to, entriesMax, whenDue, members: base } = writer
  const always = base === '' ? '' : `${base},`
  let entries: Entry[] = []
  let times: string[] = []
  let lastMs = 0
  let time = ''

  function handOver(): void {
    const [making, at] = [entries, times]
    entries = []
    times = []
    let lines = ''
    for (const [index, entry] of making.entries())
      lines += `{"level":30,"time":"${at[index]}",${always}${membersOf(entry)}}\n`
    if (lines !== '') to.write(lines)
  }

  whenDue(handOver)
  return (entry) => {
    const nowMs = Date.now()
    if (nowMs !== lastMs) time = new Date(nowMs).toISOString()
    lastMs = nowMs
    entries.push(entry)
    times.push(time)
    if (entries.length >= entriesMax) handOver()
  }
}

const writers = new WeakMap<Logger, Writer & { readonly members: string }>()

/**
 * Lines leave together: each piece is handed to another thread, which costs as much as a whole answer. At the latest after `flushMs`,
 * when the process ends, and at once when it ends by an error; only `kill -9` loses the last ones. Of several workers no piece is
 * longer than the 4,096 bytes that a pipe takes at once, so that no line is torn by another's: a request's line has 700 at most,
 * for its path is cut at 200 characters.
 */
const [entriesMax, pieces] = cluster.isWorker
  ? [5, { minLength: 2_048, maxWrite: 4_096 }]
  : [256, { minLength: 65_536, maxWrite: 131_072 }]
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
