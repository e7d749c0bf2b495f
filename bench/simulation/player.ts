import { type PlayedFaults, type PlayedFleet, type PlayOrder, playFaults, playFleet, productOf } from './plays.ts'

/** Plays what it is asked for, in a process of its own. */
export type PlayReport =
  | { readonly kind: 'fleet'; readonly fleet: PlayedFleet }
  | { readonly kind: 'faults'; readonly faults: PlayedFaults }
  | { readonly kind: 'failed'; readonly message: string }

async function played(order: PlayOrder): Promise<PlayReport> {
  if (order.kind === 'faults') return { kind: 'faults', faults: await playFaults(order.nodes, order.range) }
  return { kind: 'fleet', fleet: await playFleet(productOf(order.product), order.fleet, order.range) }
}

process.on('message', (order: PlayOrder) => {
  void played(order)
    .catch((error: unknown): PlayReport => ({ kind: 'failed', message: String(error) }))
    .then((report) => process.send?.(report))
})
process.on('disconnect', () => process.exit())
