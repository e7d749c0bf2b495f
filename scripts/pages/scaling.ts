import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fault, faults } from '../../bench/simulation/faults.ts'
import { invariants } from '../../bench/simulation/invariants.ts'
import type { Fleet } from '../../bench/simulation/load.ts'
import { readResult } from '../../bench/simulation/measured.ts'
import { busyMax, type Need } from '../../bench/simulation/sizing.ts'
import { readSimulation, type Simulation } from '../../bench/simulation/stored.ts'
import { packageRoot } from '../../src/platform/package-root.ts'

/**
 * docs/scaling.md with its tables of results written anew: each stands between a comment that names it and `<!-- end -->`, and ends with the file
 * that it is from and the commit that the file names. The rest of the page is written by hand.
 */
export function scalingPage(): string {
  const page = readFileSync(join(packageRoot(), 'docs/scaling.md'), 'utf8')
  const simulation = readSimulation()
  return page.replaceAll(
    /(<!-- table: (\w+) -->\n).*?(<!-- end -->)/gs,
    (_, begin: string, name: string, end: string) => `${begin}${tableNamed(name, simulation)}\n${end}`,
  )
}

function tableNamed(name: string, simulation: Simulation): string {
  const table = Object.entries(tables).find(([known]) => known === name)?.[1]
  if (!table) throw new Error(`docs/scaling.md: there is no table of results named ${name}`)
  return table(simulation)
}

const tables = {
  needed: ({ recommended }: Simulation) =>
    `${needs(recommended, 'nodes')}\n\n${from('simulation')}: computed with measured figures.`,
  costs,
  played: ({ needs: all }: Simulation) =>
    `${needs(all, 'nodes, routing')}\n\n${from('simulation')}: hit rates simulated, the rest computed with measured figures.`,
  hits: hitRates,
  faults: faultsPlayed,
  ends,
  requests,
  accounts,
  changes,
  changesKept,
  memory,
  peers,
  sources: ({ measured }: Simulation) =>
    [
      row('file', 'commit', 'date', 'load before'),
      '|---|---|---|--:|',
      ...[
        ...measured.files.map(({ file }) => file),
        'simulation',
        'workers',
        'listing',
        'peers-better-auth',
        'peers-parse-server',
        'peers-directus',
      ]
        .map(readResult)
        .map(({ name, commit, date, load = [], loadBefore }) =>
          row(`\`${name}.json\``, `\`${commit}\``, date.slice(0, 10), String([load, loadBefore ?? []].flat()[0] ?? '')),
        ),
    ].join('\n'),
} as const satisfies Readonly<Record<string, (simulation: Simulation) => string>>

function needs(rows: readonly Need[], title: string): string {
  return [
    row(
      'product',
      'accounts',
      title,
      'calls/s',
      'hit rate',
      'cores of a node',
      'memory of a node',
      'cores of PostgreSQL',
      'all caches empty',
      'database',
      'connections',
      'changes/s',
    ),
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map(({ product, fleet, ...need }) =>
      row(
        product,
        millions(fleet),
        title === 'nodes' ? String(fleet.nodes) : `${fleet.nodes}, ${fleet.routing}`,
        many(need.callsPerSecond),
        need.hitRate.toFixed(2),
        need.coresPerNode > busyMax ? 'too few nodes' : short(need.coresPerNode),
        `${short(need.nodeMemoryMiB)} MiB`,
        short(need.postgresCores),
        short(need.postgresCoresCold),
        `${short(need.databaseGB)} GB`,
        many(need.connections),
        short(need.changesPerSecond),
      ),
    ),
  ].join('\n')
}

/** What has to be there for the recommended fleets: a core for each node, and PostgreSQL for empty caches. */
function costs({ recommended }: Simulation): string {
  return [
    row(
      'product',
      'accounts',
      'cores of nodes',
      'cores of PostgreSQL',
      'memory of nodes',
      'memory of PostgreSQL, for the whole database',
      'disk, with two standbys',
    ),
    '|---|--:|--:|--:|--:|--:|--:|',
    ...recommended.map(({ product, fleet, nodeMemoryMiB, databaseGB, postgresCoresCold }) =>
      row(
        product,
        millions(fleet),
        String(fleet.nodes),
        String(Math.max(2, Math.ceil(postgresCoresCold))),
        `${short((fleet.nodes * nodeMemoryMiB) / 1_024)} GiB`,
        `${short(databaseGB)} GB`,
        `${short(3 * databaseGB)} GB`,
      ),
    ),
    '',
    `${from('simulation')}: computed with measured figures. Two cores of PostgreSQL at least.`,
  ].join('\n')
}

function hitRates({ fleets, samples }: Simulation): string {
  return [
    row(
      'product',
      'accounts',
      'nodes, routing',
      'accounts played',
      'calls played',
      'hit rate',
      'by the formula',
      'cached on a node',
      'a node knows a change after: p50, p99',
    ),
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...[...fleets, ...samples].map(({ product, fleet, sample, expected, played }) =>
      row(
        product,
        millions(fleet),
        `${fleet.nodes}, ${fleet.routing}`,
        sample === 1 ? 'all' : `1 in ${many(1 / sample)}`,
        many(played.requests),
        played.hitRate.toFixed(2),
        expected.toFixed(2),
        many(played.entriesPerNode),
        `${played.knownAfterMs.p50}, ${played.knownAfterMs.p99} ms`,
      ),
    ),
    '',
    `${from('simulation')}: simulated.`,
  ].join('\n')
}

function faultsPlayed({ withFaults }: Simulation): string {
  const names = Object.keys(faults).filter((name): name is Fault => name in faults)
  return [
    `Played, one after the other, with short interruptions of single nodes in between: ${names.map((name) => faults[name].sentence).join('; ')}. With 100 nodes the last one sleeps for a minute only.`,
    '',
    row(
      'nodes',
      'time played',
      'answers',
      'changes read, all nodes',
      'answers that lacked a change',
      'the oldest of them',
      'lists on a replica',
      'the oldest of them',
      'violations',
    ),
    '|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...withFaults.map(({ nodes, seconds, played }) =>
      row(
        String(nodes),
        `${Math.round(seconds / 60)} min`,
        many(played.answers),
        many(played.changesRead),
        `${(played.staleShare * 100).toFixed(2)} %`,
        `${many(played.oldestMs)} ms`,
        `${(played.replica.share * 100).toFixed(1)} %`,
        `${many(played.replica.oldestMs)} ms`,
        String(played.violations),
      ),
    ),
    '',
    `Checked at every answer and every look: ${Object.values(invariants).join('; ')}.`,
    '',
    `${from('simulation')}: simulated.`,
  ].join('\n')
}

function ends({ ends: { accounts: found, nodes }, products }: Simulation): string {
  return [
    row('what is used up', 'at', ...products.map(({ id }) => `million accounts, ${id}`)),
    `|---|---|${products.map(() => '--:|').join('')}`,
    ...found.map(({ resource, at, accounts: atAccounts }) =>
      row(resource, at, ...products.map(({ id }) => short((atAccounts[id] ?? Number.NaN) / 1e6))),
    ),
    row(`connections of PostgreSQL, with its default of 100`, `${nodes.connections} nodes`, ...products.map(() => '')),
    row(`looks of 100 nodes`, `${short(nodes.lookCoresOf100)} cores of PostgreSQL`, ...products.map(() => '')),
    '',
    `${from('simulation')}: computed with measured figures; nothing in it was run.`,
  ].join('\n')
}

interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** A figure of a result, with its range where it has one. */
function figure(file: string, what: string): Spread {
  const is = readResult(file).figures?.find((one) => one.what === what)?.is
  if (is === undefined) throw new Error(`bench/results/${file}.json has no figure “${what}”`)
  // Trust boundary: bench/harness/report.ts has written it.
  return typeof is === 'number' ? { median: is, min: is, max: is } : (is as Spread)
}

function ranged(file: string, what: string): string {
  const { median, min, max } = figure(file, what)
  return min === max ? short(median) : `${short(median)} (${short(min)}–${short(max)})`
}

function requests(): string {
  const size = '1000000 accounts'
  const ofUserData = (kind: string, what: string) => ranged('user-data', `${kind}, ${size}: ${what}`)
  const floor = (kind: string) => `${ofUserData(kind, 'CPU ratio to the floor')} of a raw \`node:http\` server`
  const { perSecond, capacity } = workersOf('first admin page of 100', 'one worker, one core')
  return [
    row('request', 'CPU of the service', 'for the same CPU', 'statements', 'measured'),
    '|---|--:|---|---|---|',
    row(
      '`user/data`, warm',
      `${ofUserData('warm', 'CPU a request')} µs`,
      `${floor('warm')}, ${ofUserData('warm', 'CPU ratio to a bare Fastify route')} of a bare Fastify route`,
      '0',
      commit('user-data'),
    ),
    row(
      '`user/data`, warm, 304',
      `${ofUserData('304', 'CPU a request')} µs`,
      `${ofUserData('304', 'CPU ratio to warm')} of a warm 200`,
      '0',
      commit('user-data'),
    ),
    row(
      '`user/data`, cold (token known), 64 at once',
      `${ofUserData('cold', 'CPU a request')} µs`,
      floor('cold'),
      '1 for all concurrent calls',
      commit('user-data'),
    ),
    row(
      '`user/data`, cold, 16 at once: CPU of PostgreSQL',
      `${ranged('database-cost', 'CPU of PostgreSQL for a read of user data, 16 at once')} µs`,
      '',
      '',
      commit('database-cost'),
    ),
    row(
      'admin page of 100',
      `${short(1e6 / capacity.median)} µs`,
      `${short(perSecond.median)} a second on one core beside PostgreSQL on the other`,
      '1 or 2',
      commit('workers'),
    ),
    row(
      'admin page of 100: CPU of PostgreSQL',
      `${ranged('database-cost', 'CPU of PostgreSQL for a page of 100 users')} µs`,
      '',
      '',
      commit('database-cost'),
    ),
    row(
      'export, for each user',
      `${short(exportUs())} µs of time, PostgreSQL’s included`,
      '',
      '1 in all',
      commit('listing'),
    ),
    ...keyChecks(),
  ].join('\n')
}

function exportUs(): number {
  // Trust boundary: bench/listing.ts has written it.
  const { sizes, exports } = readResult('listing') as unknown as {
    sizes: readonly number[]
    exports: { laps: readonly { ourSeconds: number }[] }
  }
  const seconds = exports.laps.map(({ ourSeconds }) => ourSeconds).sort((one, other) => one - other)
  return ((seconds[Math.floor(seconds.length / 2)] ?? Number.NaN) * 1e6) / Math.max(...sizes)
}

interface Worked {
  readonly name: string
  readonly perSecond: Spread
  readonly capacity: Spread
}

function workersOf(operation: string, subject: string): Worked {
  // Trust boundary: bench/workers.ts has written it.
  const rows = readResult('workers').rows as { operation: string; subjects: Worked[] }[]
  const found = rows.find((one) => one.operation === operation)?.subjects.find(({ name }) => name === subject)
  if (!found) throw new Error(`bench/results/workers.json has no ${operation}, ${subject}`)
  return found
}

interface Checked {
  readonly what: string
  readonly delayMs: number
  readonly atOnce: number
  readonly rateRatio: Spread
  readonly addedMs: Spread
  readonly ours: { readonly cpuUs: Spread }
}

function keyChecks(): readonly string[] {
  // Trust boundary: bench/validate.ts has written it.
  const rows = readResult('validate').rows as Checked[]
  return rows.map(({ what, delayMs, atOnce, rateRatio, addedMs, ours }) =>
    row(
      `key check, ${what === 'engine' ? 'the engine alone' : what}, ${atOnce} at once, provider of ${delayMs} ms`,
      `${short(ours.cpuUs.median)} µs (${short(ours.cpuUs.min)}–${short(ours.cpuUs.max)})`,
      `${rateRatio.median.toFixed(2)} of a bare pool’s calls/s, ${short(addedMs.median)} ms more`,
      what === 'engine' ? '0' : '3, two of them for all concurrent checks',
      commit('validate'),
    ),
  )
}

function accounts(): string {
  const names = ['account', 'identity', 'membership', 'subscription', 'customer', 'organization']
  return [
    row('one row of', 'table, bytes', 'indexes, bytes', 'together'),
    '|---|--:|--:|--:|',
    ...names.map((name) => {
      const [table, indexes] = ['table', 'indexes'].map(
        (part) => figure('database-cost', `${name}: ${part}, for each row`).median,
      )
      return row(
        name === 'organization' ? 'organisation' : name,
        String(table),
        String(indexes),
        String((table ?? 0) + (indexes ?? 0)),
      )
    }),
    row(
      '**account, with everything that belongs to it**',
      '',
      '',
      `**${figure('database-cost', 'whole database, for each account').median}**`,
    ),
    row(
      'event of a change, kept for 10 to 30 minutes',
      '',
      '',
      String(figure('database-cost', 'event of a change').median),
    ),
    row(
      'write-ahead log for a change, after a checkpoint',
      '',
      '',
      String(figure('database-cost', 'write-ahead log for a change, after a checkpoint').median),
    ),
    '',
    `${from('database-cost')}: measured with ${many(Number(readResult('database-cost').users))} accounts.`,
  ].join('\n')
}

function changes(): string {
  const name = 'invalidations'
  const found = (readResult(name).figures ?? []).flatMap(({ what }) => /^(\d+) nodes: ratio$/.exec(what)?.[1] ?? [])
  const median = (what: string) => short(figure(name, what).median)
  return [
    row(
      'nodes',
      'commit, one writer: without → with events',
      'commits/s of 16 writers: without → with events',
      'ratio',
      'CPU of PostgreSQL for a commit: without → with events',
      'for a look that finds nothing',
    ),
    '|--:|--:|--:|--:|--:|--:|',
    ...found.map((nodes) => {
      const both = (what: string) =>
        `${median(`${nodes} nodes: ${what} without events`)} → ${median(`${nodes} nodes: ${what} with events`)}`
      const look = `${nodes} nodes: CPU of PostgreSQL for a look that finds nothing`
      return row(
        nodes,
        `${both('one writer, a commit')} ms`,
        both('16 writers, commits/s'),
        ranged(name, `${nodes} nodes: ratio`),
        `${both('CPU of PostgreSQL for a commit')} µs`,
        Number(nodes) > 1 ? `${median(look)} µs` : '',
      )
    }),
    '',
    `${from(name)}: measured.`,
  ].join('\n')
}

function changesKept(): string {
  const name = 'invalidations'
  const known = /^(CPU of a node|\d+ nodes: (age|the same)|\d+ changes)/
  const found = (readResult(name).figures ?? []).filter(({ what }) => known.test(what))
  return [
    row('also measured', ''),
    '|---|--:|',
    ...found.map(({ what, unit }) => row(what, `${ranged(name, what)}${unit ?? ''}`)),
    '',
    `${from(name)}: measured.`,
  ].join('\n')
}

function memory(): string {
  const found = readResult('memory').figures ?? []
  return [
    row('memory of a node', ''),
    '|---|--:|',
    ...found.map(({ what, unit }) => row(what, `${ranged('memory', what)}${unit ?? ''}`)),
    '',
    `${from('memory')}: measured.`,
  ].join('\n')
}

function peers(): string {
  return [
    row('`user/data` compared with', 'requests/s', 'requests for the same CPU', 'measured'),
    '|---|--:|--:|---|',
    ...['better-auth', 'parse-server', 'directus'].map((peer) => {
      const file = `peers-${peer}`
      const [perSecond, sameCpu] = (readResult(file).figures ?? []).map(({ what }) => what)
      const name = /^Muster to (.*): requests\/s$/.exec(perSecond ?? '')?.[1] ?? peer
      return row(name, `${ranged(file, perSecond ?? '')} times`, `${ranged(file, sameCpu ?? '')} times`, commit(file))
    }),
  ].join('\n')
}

function from(file: string): string {
  const { date } = readResult(file)
  return `From \`bench/results/${file}.json\` (commit ${commit(file)}, ${date.slice(0, 10)})`
}

function commit(file: string): string {
  return `\`${readResult(file).commit}\``
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')
}

function millions({ accounts: count }: Fleet): string {
  return `${short(count / 1e6)} M`
}

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

function many(value: number): string {
  return grouped.format(value)
}

/** Two digits that count, or three from 100 on. */
function short(value: number): string {
  if (value === 0) return '0'
  if (Math.abs(value) >= 1_000) return many(Number(value.toPrecision(3)))
  return String(Number(value.toPrecision(Math.abs(value) >= 100 ? 3 : 2)))
}
