import closeWithGrace from 'close-with-grace'
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

const signals = ['SIGTERM', 'SIGINT'] as const

/** Stops at the first SIGTERM or SIGINT and ends the process with 0; a second one ends it at once, with 1. */
export function stopOnSignal({ log, timeoutMs, stop }: Shutdown): { uninstall(): void } {
  const grace = closeWithGrace({ delay: timeoutMs, logger: false, skip: [...signals] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after an uncaught error')
    await stop(err !== undefined)
    log.info('stopped')
    await flushed(log)
  })
  let firstAtMs: number | undefined

  function onSignal(signal: NodeJS.Signals): void {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now()
      log.info({ signal }, 'draining')
      grace.close()
    } else if (performance.now() - firstAtMs >= sameSignalMs) process.exit(1)
  }

  for (const signal of signals) process.on(signal, onSignal)
  return {
    uninstall() {
      grace.uninstall()
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
