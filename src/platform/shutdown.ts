import type { Logger } from 'pino'
import { flushLog } from './log.ts'

interface Shutdown {
  readonly log: Logger
  /** The process exits with 1 if `stop` takes longer. */
  readonly timeoutMs: number
  /** Closes everything. `isHurried`: after an uncaught error, when the state of the process is unreliable. */
  readonly stop: (isHurried: boolean) => Promise<void>
}

/** Ctrl-C reaches every process of a terminal, and npm forwards it again. A signal within this time is a duplicate. */
const duplicateSignalMs = 500

/** Closing a terminal sends SIGHUP and Ctrl-\ sends SIGQUIT. The embedded database must stop then too. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/**
 * The first signal stops the service and exits with 0. A second signal exits immediately with 1. An uncaught error or unhandled
 * rejection stops the service and exits with 1.
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
    await flushLog(log)
    process.exit(error ? 1 : 0)
  }

  async function giveUp(err: unknown): Promise<void> {
    log.fatal({ err }, 'error while stopping: exiting immediately')
    await flushLog(log)
    process.exit(1)
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now()
      log.info({ signal }, 'draining')
      if (!isEnding) end().catch(giveUp)
    } else if (performance.now() - firstAtMs >= duplicateSignalMs) process.exit(1)
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
