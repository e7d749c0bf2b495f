import { type Config, ConfigError, readConfig } from '../../src/config.ts'
import type { Clock } from '../../src/platform/clock.ts'
import type { Environment } from '../../src/platform/settings.ts'
import { type CheckResult, resultsOf } from './check-result.ts'
import { checkDatabase } from './database.ts'
import { checkIssuers } from './issuers.ts'
import { checkMailServer } from './mail.ts'
import { checkPort } from './port.ts'
import { checkProviders } from './providers.ts'
import { checkProxies } from './proxies.ts'
import { checkSignUp } from './sign-up.ts'

/** Checks everything that the service needs and yields one result after the other. Changes nothing. */
export async function* runChecks(env: Environment, now: Clock = Date.now): AsyncGenerator<CheckResult, void, void> {
  const settings = resultsOf('settings')
  const config = configOf(env)
  if (config instanceof ConfigError) {
    yield* config.faults.map(settings.fail)
    yield settings.warn('The other checks were skipped: they depend on the settings.')
    return
  }
  yield settings.ok('All settings are valid.')
  yield* checkProxies(config)
  yield* checkSignUp(config)
  yield* checkDatabase(config, now)
  yield* await checkIssuers(config)
  if (config.mail) yield await checkMailServer(config.mail)
  yield await checkPort(config)
  yield* checkProviders(config)
}

function configOf(env: Environment): Config | ConfigError {
  try {
    return readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}
