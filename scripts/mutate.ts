/**
 * npm run mutate                     every fault of test/mutants.ts, and every mutant of the parts in scripts/mutation/parts.ts
 * npm run mutate -- NAME [...]       some of them: `faults`, a part, or the beginning of the path of a source; `page` writes the page alone
 * npm run mutate -- NAME --quick     only with the tests that need no service and no database; what they do not notice stays open
 * npm run mutate -- NAME --again     also what earlier runs have results for, and what is listed as equivalent
 * Tells which mutants no test notices, and writes test/mutation.md. Ends with 1 where a fault survives, or where a part, or
 * of one that was not tried whole the lower bound of its sample, has a score below 90 %.
 */
import { parseArgs } from 'node:util'
import { tryFaults } from './mutation/faults.ts'
import { writePage } from './mutation/page.ts'
import { parts } from './mutation/parts.ts'
import { tryPart } from './mutation/try-part.ts'

const { values, positionals } = parseArgs({
  options: { again: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
  allowPositionals: true,
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const known = ['page', 'faults', ...parts.map(({ name }) => name)]
const unknown = positionals.find((name) => !known.includes(name) && !name.startsWith('src/'))
if (unknown !== undefined) throw new Error(`${unknown} is none of ${known.join(', ')}, and no path below src`)

const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name)
const areFaultsNoticed = !isWanted('faults') || (await tryFaults())
for (const part of parts) {
  const sources = positionals.filter(
    (path) => path.startsWith('src/') && part.sources.some((of) => path.startsWith(of) || of.startsWith(path)),
  )
  if (isWanted(part.name)) await tryPart(part, values)
  else if (sources.length > 0) await tryPart(part, { sources, ...values })
}
const areScoresReached = writePage()
process.exitCode = areFaultsNoticed && areScoresReached ? 0 : 1
