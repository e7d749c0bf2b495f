import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { newCheckout, root } from '../../test/support/recipe.ts'
import { filesBelow, type MutatedSources, mutateSources } from './mutants.ts'
import { leftOutFiles, type Part, parts } from './parts.ts'
import { reachOfTests, tryMutants } from './processes.ts'
import { trialsOf } from './reach.ts'
import { byChance, equivalenceOf, type KeptResults, keptResults } from './results.ts'

export interface PartOptions {
  /** Beginnings of paths; without them every source of the part. */
  readonly sources?: readonly string[]
  /** Also what earlier runs have results for, and what is listed as equivalent. */
  readonly again: boolean
  /** Only with the tests that need no service and no database: what they do not notice gets no result. */
  readonly quick: boolean
}

/** Tries every mutant of a part that has no result yet and is not listed as equivalent, and keeps the results. */
export async function tryPart(part: Part, { sources = [''], again, quick }: PartOptions): Promise<void> {
  const mutated = mutateSources(root, parts)
  const results = keptResults(root, testsOf)
  const left = mutated.mutants
    .filter(({ part: name, file }) => name === part.name && sources.some((start) => file.startsWith(start)))
    .filter((mutant) => again || (!results.get(mutant) && equivalenceOf(root, mutant) === undefined))
    .sort(byChance)
  console.log(`${part.name}: ${left.length} mutants to try`)
  if (left.length > 0)
    await tryLeft(quick ? testsOf(part.name).filter(isQuick) : testsOf(part.name), left, mutated, results, quick)
}

async function tryLeft(
  tests: readonly string[],
  left: MutatedSources['mutants'],
  mutated: MutatedSources,
  results: KeptResults,
  quick: boolean,
): Promise<void> {
  const copy = newCheckout()
  process.once('exit', () => copy.remove())
  for (const [file, text] of mutated.instrumented) copy.change(file, () => text)
  // For tests that start a process of the built command beside those that run it here.
  symlinkSync(join(root, 'dist'), join(copy.folder, 'dist'))
  const reaches = await reachOfTests(copy.folder, tests)
  const byId = new Map(left.map((mutant) => [mutant.id, mutant]))
  let count = 0
  const trials = trialsOf(root, left, mutated, reaches).filter(({ runs }) => !quick || runs.length > 0)
  await tryMutants(copy.folder, trials, (ended) => {
    const mutant = byId.get(ended.id)
    if (!mutant || (quick && ended.status === 'survived')) return
    results.set(mutant, ended)
    count += 1
    if (count % 10 === 0) results.save()
    if (count % 100 === 0) console.log(`${count} of ${trials.length}`)
    if (ended.status === 'survived') console.log(`survived: ${describe(mutant)}`)
  })
  results.save()
  copy.remove()
}

function isQuick(test: string): boolean {
  const needs =
    /startService|serviceForTest|startBilled|billedForTest|freshDatabase|test-client|generated-files|openapi-text/
  return !needs.test(readFileSync(join(root, test), 'utf8'))
}

export function testsOf(name: string): readonly string[] {
  const starts = parts.find((part) => part.name === name)?.tests ?? []
  return filesBelow(root, 'test')
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('.long.test.ts') && !leftOutFiles.includes(file))
    .filter((file) => starts.some((start) => file.startsWith(start)))
}

/** `file:line: original → replacement`, each on one line. */
export function describe({ file, line, original, replacement }: MutatedSources['mutants'][number]): string {
  return `${file}:${line}: ${short(original)} → ${short(replacement)}`
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 80 ? `${line.slice(0, 77)}…` : line
}
