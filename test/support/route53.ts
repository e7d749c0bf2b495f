import type { ProvidersSimulator } from '../../key-check/simulator/server.ts'
import { providersForTest } from './providers.ts'

/** Simulated providers until the test ends, with the settings of a service that checks keys of Route 53 at them. */
export async function route53ForTest(): Promise<
  Pick<ProvidersSimulator, 'received'> & {
    readonly simulator: ProvidersSimulator
    readonly env: Readonly<Record<string, string>>
  }
> {
  const simulator = await providersForTest('route53')
  return { simulator, received: simulator.received, env: simulator.env }
}
