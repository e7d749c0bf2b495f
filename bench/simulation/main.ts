import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { type Column, tableOf } from '../../cli/table.ts'
import { loadBefore, writeResult } from '../harness/result.ts'
import { round } from '../harness/spread.ts'
import { invariants } from './invariants.ts'
import { products } from './load.ts'
import { readMeasurements } from './measured.ts'
import type { Played } from './play.ts'
import { playAll } from './players.ts'
import { differenceMax, type PlayedFaults, type PlayedFleet, productOf, type Range } from './plays.ts'
import { busyMax, endsOf, endsOfNodes, entriesMaxOf, figureReader, type Need, needOf, nodesNeeded } from './sizing.ts'
import type { Simulation } from './stored.ts'

const help = `Usage: npm run simulate -- [options]

Plays fleets of nodes with the service's own cache and its own reader of changes on a simulated clock: calls, changes, evictions, replicas and faults.
It checks while it plays that no answer is older than the lease and that no change is missed, computes with the figures of bench/results what fleets
need, and writes bench/results/simulation.json. Ends with 1 where something does not hold.

Options:
  --nodes <list>     numbers of nodes (default: 1,10,100)
  --accounts <list>  millions of accounts (default: 1,10,100)
  --calls <number>   calls that are played each second; of a larger fleet a part of the accounts (default: 100)
  --seconds <number> of each fleet, after a warm-up of ten minutes, of a hundred nodes five (default: 200)
  --seed <number>    of everything that is random; the same seed plays the same (default: 1)
  --processes <number> that play at the same time (default: one for each core)
  --short            a few small fleets, and the faults with three nodes, in seconds
  --help             this text

With other options than --seed and --processes nothing is written.
`

const defaults = {
  nodes: '1,10,100',
  accounts: '1,10,100',
  calls: '100',
  seconds: '200',
  seed: '1',
  processes: String(availableParallelism()),
}

function readOptions() {
  const text = (name: keyof typeof defaults) => ({ type: 'string', default: defaults[name] }) as const
  const { values } = parseArgs({
    options: {
      nodes: text('nodes'),
      accounts: text('accounts'),
      calls: text('calls'),
      seconds: text('seconds'),
      seed: text('seed'),
      processes: text('processes'),
      short: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const numbers = (name: keyof typeof defaults) =>
    values[name].split(',').map((one) => {
      const number = Number(one)
      if (one.trim() === '' || !(number > 0)) throw new TypeError(`--${name} must be above 0: ${values[name]}`)
      return number
    })
  const number = (name: keyof typeof defaults) => numbers(name)[0] ?? 1
  return {
    help: values.help,
    short: values.short,
    isWhole:
      !values.short &&
      (['nodes', 'accounts', 'calls', 'seconds'] as const).every((name) => values[name] === defaults[name]),
    nodes: values.short ? [1, 3] : numbers('nodes'),
    accounts: (values.short ? [0.3] : numbers('accounts')).map((millions) => millions * 1e6),
    callsPerSecondMax: values.short ? 10 : number('calls'),
    seconds: values.short ? 600 : number('seconds'),
    seed: number('seed'),
    processes: number('processes'),
  }
}

async function simulate(options: ReturnType<typeof readOptions>): Promise<void> {
  const load = loadBefore()
  const measured = readMeasurements()
  const figure = figureReader(measured)
  const range: Range = {
    ...options,
    warmUpSeconds: 600,
    latency: measured.latency,
    entriesMax: entriesMaxOf(figure),
  }
  say(`seed ${options.seed}; figures of ${measured.files.map(({ file, commit }) => `${file} (${commit})`).join(', ')}`)
  const { fleets, samples, withFaults } = await playAll(range, options)
  const needs = fleets.map(({ product, fleet, played }) => needOf(productOf(product), fleet, played.hitRate, figure))
  const recommended = products.flatMap((product) =>
    options.accounts.map((accounts) => nodesNeeded(product, accounts, figure)),
  )

  await print('Hit rates', hitRateColumns, [...fleets, ...samples])
  await print('With faults', faultColumns, withFaults)
  await print('In the busiest hour, as played', needColumns, needs)
  await print('Fewest nodes, one of which may fail, with sticky routing', needColumns, recommended)
  const failures = [
    ...failuresOf([...fleets, ...samples, ...withFaults].map(({ played }) => played)),
    ...differences(fleets, samples),
  ]
  for (const failure of failures) say(`FAILED: ${failure}`)
  if (failures.length > 0) process.exitCode = 1
  else say(`\nEverything held: ${Object.values(invariants).join('; ')}.`)
  if (!options.isWhole) return
  const ends = { accounts: endsOf(products, figure), nodes: endsOfNodes(figure) }
  const { seed } = options
  const result: Simulation = { seed, measured, products, fleets, samples, withFaults, needs, recommended, ends }
  say(writeResult('simulation', { load, ...result }))
}

function failuresOf(played: readonly Played[]): readonly string[] {
  return played.flatMap(({ violations, firstViolations }) =>
    violations === 0
      ? []
      : [
          `${violations} violations; the first:`,
          ...firstViolations.map(
            ({ invariant, atMs, detail }) => `${invariants[invariant]} (at ${round(atMs / 1_000)} s: ${detail})`,
          ),
        ],
  )
}

/** The formula and the play, and plays with other parts of the accounts, must agree. */
function differences(fleets: readonly PlayedFleet[], samples: readonly PlayedFleet[]): readonly string[] {
  const rates = samples.map(({ played }) => played.hitRate)
  const spread = rates.length === 0 ? 0 : Math.max(...rates) - Math.min(...rates)
  return [
    ...fleets
      .filter(({ expected, played }) => Math.abs(expected - played.hitRate) > differenceMax)
      .map(
        ({ fleet, expected, played }) =>
          `hit rate of ${nameOf(fleet)}: ${round(played.hitRate)}, by the formula ${round(expected)}`,
      ),
    ...(spread > differenceMax ? [`hit rates of other parts of the accounts differ by ${round(spread)}`] : []),
  ]
}

function nameOf({ nodes, accounts, routing }: PlayedFleet['fleet']): string {
  return `${nodes} nodes, ${accounts / 1e6} million, ${routing}`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function print<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void> {
  say(`\n${title}`)
  const batches = async function* () {
    yield rows
  }
  for await (const line of tableOf(batches(), columns, 160)) process.stdout.write(line)
}

const ofFleet = [
  { title: 'product', of: ({ product }: { product: string }) => product },
  { title: 'fleet', of: ({ fleet }: { fleet: PlayedFleet['fleet'] }) => nameOf(fleet) },
]

const hitRateColumns: readonly Column<PlayedFleet>[] = [
  ...ofFleet,
  { title: 'played', of: ({ sample }) => `1/${Math.round(1 / sample)}` },
  { title: 'calls', of: ({ played }) => String(played.requests) },
  { title: 'hits', of: ({ played }) => String(round(played.hitRate)) },
  { title: 'by formula', of: ({ expected }) => String(round(expected)) },
  { title: 'cached a node', of: ({ played }) => String(played.entriesPerNode) },
  { title: 'known after, p99', of: ({ played }) => `${played.knownAfterMs.p99} ms` },
  { title: 'oldest answer', of: ({ played }) => `${played.oldestMs} ms` },
  { title: 'violations', of: ({ played }) => String(played.violations) },
]

const faultColumns: readonly Column<PlayedFaults>[] = [
  { title: 'nodes', of: ({ nodes }) => String(nodes) },
  { title: 'answers', of: ({ played }) => String(played.answers) },
  { title: 'failed', of: ({ played }) => String(played.failures) },
  { title: 'changes read', of: ({ played }) => String(played.changesRead) },
  { title: 'answers that lacked one', of: ({ played }) => `${round(played.staleShare * 100)} %` },
  { title: 'oldest answer', of: ({ played }) => `${played.oldestMs} ms` },
  { title: 'on the replica', of: ({ played }) => `${round(played.replica.share * 100)} %` },
  { title: 'oldest list', of: ({ played }) => `${played.replica.oldestMs} ms` },
  { title: 'violations', of: ({ played }) => String(played.violations) },
]

const needColumns: readonly Column<Need>[] = [
  ...ofFleet,
  { title: 'calls/s', of: ({ callsPerSecond }) => String(Math.round(callsPerSecond)) },
  { title: 'changes/s', of: ({ changesPerSecond }) => String(round(changesPerSecond)) },
  {
    title: 'cores a node',
    of: ({ coresPerNode: cores }) => `${round(cores)}${cores > busyMax ? ' (too few nodes)' : ''}`,
  },
  {
    title: 'cores of PostgreSQL',
    of: ({ postgresCores, postgresCoresCold }) => `${round(postgresCores)}, cold ${round(postgresCoresCold)}`,
  },
  { title: 'connections', of: ({ connections }) => String(connections) },
  { title: 'database', of: ({ databaseGB }) => `${round(databaseGB)} GB` },
]

try {
  const options = readOptions()
  if (options.help) process.stdout.write(help)
  else await simulate(options)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
