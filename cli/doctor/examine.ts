import { type Config, ConfigError, readConfig } from '../../src/config.ts'
import type { Environment } from '../../src/platform/settings.ts'
import { examineDatabase } from './database.ts'
import { about, type Finding } from './finding.ts'
import { examineIssuers } from './issuers.ts'
import { examinePort } from './port.ts'
import { examineProviders } from './providers.ts'

/** Looks at everything that the service needs, one finding after the other. Changes nothing. */
export async function* examine(env: Environment): AsyncGenerator<Finding, void, void> {
  const settings = about('settings')
  const config = configOf(env)
  if (config instanceof ConfigError) {
    yield* config.faults.map(settings.fail)
    yield settings.warn('The rest was not looked at: it depends on the settings.')
    return
  }
  yield settings.ok('All settings can be used.')
  yield* examineDatabase(config)
  yield* await examineIssuers(config)
  yield await examinePort(config)
  yield* examineProviders(config)
}

function configOf(env: Environment): Config | ConfigError {
  try {
    return readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}
