import { startChild } from '../harness/child.ts'
import type { PlayReport } from './player.ts'
import { orders, type PlayedFaults, type PlayedFleet, type PlayOrder, type Range, sampleOrders } from './plays.ts'

export interface AllPlayed {
  readonly fleets: readonly PlayedFleet[]
  readonly samples: readonly PlayedFleet[]
  readonly withFaults: readonly PlayedFaults[]
}

/** Plays everything, several plays at a time. A play depends on its order alone, so it does not matter which process plays it. */
export async function playAll(
  range: Range,
  { short, processes }: { readonly short: boolean; readonly processes: number },
): Promise<AllPlayed> {
  const fleetOrders = orders(range)
  const samples = short ? [] : sampleOrders(range)
  const faultNodes = short ? [Math.max(...range.nodes)] : range.nodes
  const faultOrders = faultNodes.map((nodes): PlayOrder => ({ kind: 'faults', nodes, range }))
  const reports = await playEach([...fleetOrders, ...samples, ...faultOrders], processes)
  const played = reports.flatMap((report) => (report.kind === 'fleet' ? [report.fleet] : []))
  return {
    fleets: played.slice(0, fleetOrders.length),
    samples: played.slice(fleetOrders.length),
    withFaults: reports.flatMap((report) => (report.kind === 'faults' ? [report.faults] : [])),
  }
}

async function playEach(all: readonly PlayOrder[], processes: number): Promise<readonly PlayReport[]> {
  const reports: PlayReport[] = []
  // The largest ones take longest, and begin first.
  const left = [...all.entries()].sort(([, one], [, other]) => nodesOf(other) - nodesOf(one))
  const players = Array.from({ length: Math.min(all.length, processes) }, async () => {
    const { ask, stop } = startChild<PlayOrder, PlayReport>('simulation/player.js')
    for (let next = left.shift(); next; next = left.shift()) {
      const [place, order] = next
      const report = await ask(order)
      if (report.kind === 'failed') throw new Error(report.message)
      reports[place] = report
      if (process.stderr.isTTY) process.stderr.write(`\rplayed ${all.length - left.length} of ${all.length} `)
    }
    stop()
  })
  await Promise.all(players)
  if (process.stderr.isTTY) process.stderr.write('\n')
  return reports
}

function nodesOf(order: PlayOrder): number {
  return order.kind === 'faults' ? order.nodes * 3 : order.fleet.nodes
}
