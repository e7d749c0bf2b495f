import type { Config } from '../config.ts'
import { builtConsoleFolder, type ConsoleFiles, readConsoleFiles } from '../console/page-routes.ts'
import { type ConsoleIssuer, consoleIssuers } from '../console/sign-in-options.ts'
import { watchUntrustedProxies } from '../platform/http/client-address.ts'
import type { ServerSettings } from '../platform/http/new-server.ts'
import type { Monitoring } from './monitoring.ts'
import { openConnectionLimit } from './monitoring.ts'
import type { Opening } from './opening.ts'

/** The web console. Undefined if it is disabled. */
export interface Console {
  /** Absent if the console is not built. */
  readonly files?: ConsoleFiles | undefined
  /** Other issuers that it offers for sign-in. */
  readonly issuers: readonly ConsoleIssuer[]
}

export function openConsole(config: Config, folder = builtConsoleFolder()): Console | undefined {
  if (!config.servesConsole) return undefined
  return { files: readConsoleFiles(folder), issuers: consoleIssuers(config.issuers) }
}

export interface Server extends ServerSettings {
  readonly allowedOrigins: readonly string[]
}

/** Where the server listens, and its accepted host names. */
export function openServer(
  { config, database, log }: Opening,
  {
    metrics,
    tracing,
    limitLog,
    isDraining,
  }: Pick<Monitoring, 'metrics' | 'tracing' | 'limitLog'> & { isDraining: () => boolean },
): Server {
  const { trustedProxies, hostNames, allowedOrigins } = config
  return {
    trustedProxies,
    untrustedProxies: watchUntrustedProxies({ log, count: metrics.countUntrustedForward }),
    hostNames,
    allowedOrigins,
    connectionLimit: openConnectionLimit(database, limitLog),
    isDraining,
    tracing,
  }
}
