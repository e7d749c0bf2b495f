import { type Config, openSignUpWarning } from '../../src/config.ts'
import { type CheckResult, resultsOf } from './check-result.ts'

export function* checkSignUp(config: Config): Generator<CheckResult, void, void> {
  const warning = openSignUpWarning(config)
  if (warning) yield resultsOf('sign-up').warn(`${warning}.`)
}
