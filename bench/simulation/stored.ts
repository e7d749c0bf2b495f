import type { Product } from './load.ts'
import { type Measurements, readResult } from './measured.ts'
import type { PlayedFaults, PlayedFleet } from './plays.ts'
import type { End, endsOfNodes, Need } from './sizing.ts'

/** What `npm run simulate` has written, beside who wrote it and when. */
export interface Simulation {
  readonly seed: number
  readonly measured: Measurements
  readonly products: readonly Product[]
  readonly fleets: readonly PlayedFleet[]
  readonly samples: readonly PlayedFleet[]
  readonly withFaults: readonly PlayedFaults[]
  /** Of the fleets that were played. */
  readonly needs: readonly Need[]
  /** The fewest nodes for each size. */
  readonly recommended: readonly Need[]
  readonly ends: { readonly accounts: readonly End[]; readonly nodes: ReturnType<typeof endsOfNodes> }
}

export function readSimulation(): Simulation {
  // Trust boundary: bench/simulation/main.ts writes a `Simulation`.
  return readResult('simulation') as unknown as Simulation
}
