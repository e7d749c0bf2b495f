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
  return pino(options, destination ?? pino.destination({ dest: 1, minLength: bufferBytes, periodicFlush: flushMs }))
}

/**
 * Lines leave together, and not one system call each: at the latest after `flushMs`, when the process ends, and at once when it
 * ends by an error. Only `kill -9` loses the last ones. Of several workers each writes less than the 4,096 bytes that a pipe takes in one
 * piece, so that no line is torn by another's.
 */
const bufferBytes = cluster.isWorker ? 2_048 : 8_192
const flushMs = 100

const causesMax = 5

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause = error.cause !== undefined && depth < causesMax ? describeError(error.cause, depth + 1) : undefined
  return { type: error.name, code, message: error.message, stack: error.stack, cause }
}
