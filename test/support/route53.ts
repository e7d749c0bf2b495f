import { providersForTest } from './providers.ts'

/** Simulated providers until the test ends, with the settings of a service that checks keys of Route 53 at them. */
export function route53ForTest(): ReturnType<typeof providersForTest> {
  return providersForTest('route53')
}
