import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mutants as faults } from '../../test/mutants.ts'
import { root } from '../../test/support/recipe.ts'
import { type Mutant, mutateSources } from './mutants.ts'
import { parts } from './parts.ts'
import { byChance, equivalenceOf, keptResults } from './results.ts'
import { sampleOf, textOf } from './sample.ts'
import { describe, testsOf } from './try-part.ts'

/** The score that each part is held to: of the mutants that a test could notice, those that one does. Of a sample its lower bound. */
const scoreMin = 0.9

interface Outcome {
  readonly mutant: Mutant
  readonly status: 'killed' | 'survived' | 'timeout' | 'equivalent' | 'not run'
  readonly reason?: string
}

/** Writes test/mutation.md from all results that count. Answers whether each part reached its score. */
export function writePage(): boolean {
  const results = keptResults(root, testsOf)
  const { mutants } = mutateSources(root, parts)
  const outcomes = mutants.map((mutant): Outcome => {
    const status = results.get(mutant)?.status ?? 'not run'
    const reason = status === 'survived' || status === 'not run' ? equivalenceOf(root, mutant) : undefined
    return reason === undefined ? { mutant, status } : { mutant, status: 'equivalent', reason }
  })
  const rows = parts.map(({ name }) =>
    rowOf(
      name,
      outcomes.filter(({ mutant }) => mutant.part === name),
    ),
  )
  writeFileSync(join(root, 'test/mutation.md'), pageOf(rows, outcomes))
  for (const { cells } of rows) console.log(cells.join('  '))
  return rows.every(({ isReached }) => isReached)
}

function rowOf(name: string, outcomes: readonly Outcome[]) {
  const count = (wanted: Outcome['status']) => outcomes.filter(({ status }) => status === wanted).length
  const [killed, timeout, survived] = [count('killed'), count('timeout'), count('survived')]
  // Over whole files: those with mutants that were not run, or only by some tests, would look better than they are.
  const open = new Set(outcomes.filter(({ status }) => status === 'not run').map(({ mutant }) => mutant.file))
  const whole = outcomes.filter(({ mutant, status }) => !open.has(mutant.file) && status !== 'equivalent')
  const score = whole.filter(({ status }) => status !== 'survived').length / whole.length
  const percent = Number.isNaN(score) ? '–' : `${(Math.floor(score * 1_000) / 10).toFixed(1)} %`
  const files = new Set(outcomes.map(({ mutant }) => mutant.file)).size
  const sample = sampleOf(outcomes.toSorted((one, other) => byChance(one.mutant, other.mutant)))
  const numbers = [files, outcomes.length, killed, timeout, survived, count('equivalent'), count('not run')]
  return {
    cells: [name, ...numbers.map(String), percent, textOf(sample)],
    isReached: (count('not run') === 0 ? score : (sample?.from ?? 0)) >= scoreMin,
  }
}

function pageOf(rows: readonly ReturnType<typeof rowOf>[], outcomes: readonly Outcome[]): string {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const survivors = outcomes.filter(({ status }) => status === 'survived')
  const equivalent = outcomes.filter(({ status }) => status === 'equivalent')
  const reasons = [...new Set(equivalent.map(({ reason }) => reason ?? ''))]
  const list = (found: readonly Outcome[]) =>
    found.map(({ mutant }) => `- \`${describe(mutant).replaceAll('`', "'")}\``).join('\n')
  return `# Mutants

Written by \`npm run mutate\` on ${new Date().toISOString().slice(0, 10)}, after commit ${git('rev-parse', '--short=10', 'HEAD')}.
A mutant is one small fault in a source; it is killed when a test of its part fails. The score is that of the files of which every mutant
was run, without the equivalent ones. Mutants are tried in an order of chance, so that the first of them are a sample of the part: the last column
has their score, and between what it would be for the whole part with a probability of 95 %.
${faults.length} faults made by hand (\`test/mutants.ts\`) are beside these.

| part | files | mutants | killed | timed out | survived | equivalent | not run | score | sample |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.map(({ cells }) => `| ${cells.join(' | ')} |`).join('\n')}

No mutants are made of texts that only people read: descriptions, summaries, titles, labels, examples, sentences of the catalogue of
messages, texts of logs and of internal errors, and names of statements.

## Survived

${list(survivors) || 'None.'}

## Equivalent

${reasons.map((reason) => `${reason}\n\n${list(equivalent.filter((one) => one.reason === reason))}`).join('\n\n') || 'None.'}
`
}
