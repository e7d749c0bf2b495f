import { type Config, ConfigError, readConfig } from '../../src/config.ts'
import type { Clock } from '../../src/platform/clock.ts'
import type { Environment } from '../../src/platform/settings.ts'
import { type CheckName, type CheckResult, checkNames, resultsOf } from './check-result.ts'
import { checkDatabase } from './database.ts'
import { checkIssuers } from './issuers.ts'
import { checkMailServer } from './mail.ts'
import { checkPort } from './port.ts'
import { checkProviders } from './providers.ts'
import { checkProxies } from './proxies.ts'
import { checkSignUp } from './sign-up.ts'

export interface ChecksOptions {
  /** Which are made; all without it. */
  readonly names?: readonly CheckName[]
  readonly now?: Clock
}

/** Checks everything that the service needs and yields one result after the other. Changes nothing. */
export async function* runChecks(
  env: Environment,
  { names = checkNames, now = Date.now }: ChecksOptions = {},
): AsyncGenerator<CheckResult, void, void> {
  const settings = resultsOf('settings')
  const config = configOf(env)
  if (config instanceof ConfigError) {
    yield* config.faults.map(settings.fail)
    yield settings.warn('The other checks were skipped: they depend on the settings.')
    return
  }
  yield settings.ok('All settings are valid.')
  for (const name of checkNames) if (names.includes(name)) yield* await checks[name](config, now)
}

const checks: Readonly<Record<CheckName, (config: Config, now: Clock) => Results | Promise<Results>>> = {
  proxies: checkProxies,
  'sign-up': checkSignUp,
  database: checkDatabase,
  issuers: checkIssuers,
  mail: async ({ mail }) => (mail ? [await checkMailServer(mail)] : []),
  port: async (config) => [await checkPort(config)],
  providers: checkProviders,
}

type Results = Iterable<CheckResult> | AsyncIterable<CheckResult>

function configOf(env: Environment): Config | ConfigError {
  try {
    return readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}
