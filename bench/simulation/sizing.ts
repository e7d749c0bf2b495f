import { databaseLimits } from '../../src/platform/database/limits.ts'
import { expectedHitRate, type Fleet, type Product, type Rates, ratesOf } from './load.ts'
import type { FigureName, Measurements } from './measured.ts'

/** What a fleet needs in its busiest hour: computed from measured figures, with a hit rate. */
export interface Need {
  readonly product: string
  readonly fleet: Fleet
  readonly callsPerSecond: number
  readonly changesPerSecond: number
  readonly hitRate: number
  /** Of each node. More than `busyMax` is too much for one process. */
  readonly coresPerNode: number
  readonly postgresCores: number
  /** The same where every cache is empty, such as after a failover: each call reads the database once. */
  readonly postgresCoresCold: number
  readonly connections: number
  readonly nodeMemoryMiB: number
  readonly databaseGB: number
  readonly eventsMB: number
  readonly walMBPerSecond: number
}

/** The share of a core up to which a process is planned: above it, answers wait for each other. */
export const busyMax = 0.7

/** A process opens at most so many, and one more while it migrates or reconciles. */
const connectionsPerNode =
  databaseLimits.connectionsMax + databaseLimits.sideConnectionsMax + databaseLimits.streamsMax + 1

const cacheMiB = 64
const looksPerSecond = 10
const eventsKeptSecondsMax = 1_800

export type Figure = (name: FigureName) => number

export function figureReader({ figures }: Measurements): Figure {
  return (name) => figures[name].value
}

export function entriesMaxOf(figure: Figure): number {
  return Math.round(figure('entriesPerMiB') * cacheMiB)
}

export function needOf(product: Product, fleet: Fleet, hitRate: number, figure: Figure): Need {
  const rates = ratesOf(product, fleet.accounts)
  const postgres = (reads: number) => postgresCores(rates, fleet.nodes, reads, figure)
  return {
    product: product.id,
    fleet,
    callsPerSecond: rates.callsPerSecond,
    changesPerSecond: rates.changesPerSecond,
    hitRate,
    coresPerNode: coresPerNode(rates, fleet.nodes, hitRate, figure),
    postgresCores: postgres(1 - hitRate),
    postgresCoresCold: postgres(1),
    connections: fleet.nodes * connectionsPerNode,
    nodeMemoryMiB: figure('residentMiB'),
    databaseGB: (fleet.accounts * figure('bytesPerAccount')) / 1e9,
    eventsMB: (rates.changesPerSecond * eventsKeptSecondsMax * figure('bytesPerEvent')) / 1e6,
    walMBPerSecond: (rates.changesPerSecond * figure('walBytesPerChange')) / 1e6,
  }
}

function coresPerNode(rates: Rates, nodes: number, hitRate: number, figure: Figure): number {
  const { callsPerSecond, changesPerSecond, keyChecksPerSecond } = rates
  const callUs = hitRate * figure('warmCpuUs') + (1 - hitRate) * figure('coldCpuUs')
  const sharedUs = callsPerSecond * callUs + keyChecksPerSecond * figure('keyCheckCpuUs')
  return (sharedUs / nodes + changesPerSecond * figure('nodeCpuUsPerEvent')) / 1e6
}

function postgresCores(rates: Rates, nodes: number, missRate: number, figure: Figure): number {
  const { callsPerSecond, changesPerSecond } = rates
  const readsUs = callsPerSecond * missRate * figure('postgresCpuUsPerRead')
  const changesUs = changesPerSecond * figure('postgresCpuUsPerChange')
  const looksUs = nodes * looksPerSecond * figure('postgresCpuUsPerLook')
  return (readsUs + changesUs + looksUs) / 1e6
}

/** The fewest nodes that carry the load, and one that may fail: two at least. With sticky routing. */
export function nodesNeeded(product: Product, accounts: number, figure: Figure): Need {
  const rates = ratesOf(product, accounts)
  const hitRate = (nodes: number) =>
    expectedHitRate({ nodes, accounts, routing: 'sticky' }, rates, entriesMaxOf(figure))
  let nodes = 1
  while (coresPerNode(rates, nodes, hitRate(nodes), figure) > busyMax) nodes += 1
  return needOf(product, { nodes: nodes + 1, accounts, routing: 'sticky' }, hitRate(nodes + 1), figure)
}

/** A resource, and at how many accounts or nodes it is used up where nothing else is before. */
export interface End {
  readonly resource: string
  readonly at: string
  readonly accounts: Readonly<Record<string, number>>
}

/** `rates` of one account, so that everything is proportional. */
export function endsOf(products: readonly Product[], figure: Figure): readonly End[] {
  const accountsAt = (perAccount: (rates: Rates) => number, limit: number) =>
    Object.fromEntries(products.map((product) => [product.id, limit / perAccount(ratesOf(product, 1))]))
  const callUs = 0.9 * figure('warmCpuUs') + 0.1 * figure('coldCpuUs')
  return [
    {
      resource: 'one process, with 0.9 of the calls from its cache',
      at: `${busyMax} of a core`,
      accounts: accountsAt(({ callsPerSecond }) => (callsPerSecond * callUs) / 1e6, busyMax),
    },
    {
      resource: 'PostgreSQL, while every cache is empty',
      at: '16 cores of reads',
      accounts: accountsAt(({ callsPerSecond }) => (callsPerSecond * figure('postgresCpuUsPerRead')) / 1e6, 16),
    },
    {
      resource: 'each node, for the events of all changes',
      at: 'half a core',
      accounts: accountsAt(({ changesPerSecond }) => (changesPerSecond * figure('nodeCpuUsPerEvent')) / 1e6, 0.5),
    },
    {
      resource: 'changes, as fast as they were measured on two cores with 100 nodes',
      at: `${Math.round(figure('changesPerSecondMeasured'))} a second`,
      accounts: accountsAt(({ changesPerSecond }) => changesPerSecond, figure('changesPerSecondMeasured')),
    },
  ]
}

/** Of nodes, whatever they do. */
export function endsOfNodes(figure: Figure): { readonly connections: number; readonly lookCoresOf100: number } {
  // PostgreSQL keeps three of its default of 100 for superusers.
  const connections = Math.floor(97 / connectionsPerNode)
  return { connections, lookCoresOf100: (100 * looksPerSecond * figure('postgresCpuUsPerLook')) / 1e6 }
}
