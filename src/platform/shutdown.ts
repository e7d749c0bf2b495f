import type { Logger } from 'pino'
import { flushed } from './log.ts'

export interface Shutdown {
  readonly log: Logger
  /** The process is ended when `stop` takes longer. */
  readonly timeoutMs: number
  /** Closes everything. `isHurried` after an uncaught error, when nothing may rely on the state of the process. */
  readonly stop: (isHurried: boolean) => Promise<void>
}

/** Ctrl-C reaches every process of a terminal, and npm passes it on once more: a signal that comes this soon is the same. */
const sameSignalMs = 500

/** A terminal that is closed sends SIGHUP, and Ctrl-\ SIGQUIT: an embedded database must not outlive the service then either. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/**
 * Stops at the first signal and ends the process with 0; a second one ends it at once, with 1. An uncaught error, which a rejection
 * without a handler is too, stops it and ends it with 1.
 */
export function stopOnSignal({ log, timeoutMs, stop }: Shutdown): { uninstall(): void } {
  let firstAtMs: number | undefined
  let isEnding = false

  async function end(error?: Error): Promise<void> {
    isEnding = true
    setTimeout(() => process.exit(1), timeoutMs)
    if (error) log.fatal({ err: error }, 'stopping after an uncaught error')
    await stop(error !== undefined)
    log.info('stopped')
    await flushed(log)
    process.exit(error ? 1 : 0)
  }

  async function giveUp(err: unknown): Promise<void> {
    log.fatal({ err }, 'an error while the process stops: it ends at once')
    await flushed(log)
    process.exit(1)
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now()
      log.info({ signal }, 'draining')
      if (!isEnding) end().catch(giveUp)
    } else if (performance.now() - firstAtMs >= sameSignalMs) process.exit(1)
  }

  function onError(error: Error): void {
    if (isEnding) void giveUp(error)
    else end(error).catch(giveUp)
  }

  for (const signal of signals) process.on(signal, onSignal)
  process.on('uncaughtException', onError)
  return {
    uninstall() {
      for (const signal of signals) process.off(signal, onSignal)
      process.off('uncaughtException', onError)
    },
  }
}
