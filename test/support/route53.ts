import { onTestFinished } from 'vitest'
import { type ProvidersSimulator, startProvidersSimulator } from '../../key-check/simulator/server.ts'

/** Simulated providers until the test ends, with the settings of a service that checks keys of Route 53 at them. */
export async function route53ForTest(): Promise<
  Pick<ProvidersSimulator, 'received'> & {
    readonly simulator: ProvidersSimulator
    readonly env: Readonly<Record<string, string>>
  }
> {
  const simulator = await startProvidersSimulator()
  const { received, baseUrls, close } = simulator
  onTestFinished(close)
  return { simulator, received, env: { MUSTER_PROVIDER_ROUTE53_URL: baseUrls.route53 ?? '' } }
}
