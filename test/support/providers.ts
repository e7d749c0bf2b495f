import { onTestFinished } from 'vitest'
import { type ProvidersSimulator, startProvidersSimulator } from '../../key-check/simulator/server.ts'

/** Simulated providers until the test ends, with the settings of a service that checks keys of these at them. */
export async function providersForTest(
  ...ids: readonly string[]
): Promise<Pick<ProvidersSimulator, 'received'> & { readonly env: Readonly<Record<string, string>> }> {
  const { received, baseUrls, close } = await startProvidersSimulator()
  onTestFinished(close)
  const settings = ids.map((id) => [`MUSTER_PROVIDER_${id.toUpperCase()}_URL`, baseUrls[id] ?? ''] as const)
  return { received, env: Object.fromEntries(settings) }
}
