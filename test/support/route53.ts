import { onTestFinished } from 'vitest'
import { type ProvidersSimulator, startProvidersSimulator } from '../../key-check/simulator/server.ts'

/** Simulated providers until the test ends, with the settings of a service that checks keys of Route 53 at them. */
export async function route53ForTest(): Promise<
  Pick<ProvidersSimulator, 'received'> & { readonly env: Readonly<Record<string, string>> }
> {
  const { received, baseUrls, close } = await startProvidersSimulator()
  onTestFinished(close)
  return { received, env: { MUSTER_PROVIDER_ROUTE53_URL: baseUrls.route53 ?? '' } }
}
