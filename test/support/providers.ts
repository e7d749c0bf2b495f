import { onTestFinished } from 'vitest'
import { type ProvidersSimulator, startProvidersSimulator } from '../../key-check/simulator/server.ts'

/** Simulated providers until the test ends, with the settings of a service that checks keys of these at them. */
export async function providersForTest(
  ...ids: readonly string[]
): Promise<ProvidersSimulator & { readonly env: Readonly<Record<string, string>> }> {
  const simulator = await startProvidersSimulator()
  onTestFinished(simulator.close)
  const settings = ids.map((id) => [`MUSTER_PROVIDER_${id.toUpperCase()}_URL`, simulator.baseUrls[id] ?? ''] as const)
  return Object.assign(simulator, { env: Object.fromEntries(settings) })
}
