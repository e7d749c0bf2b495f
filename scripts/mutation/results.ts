import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { equivalentMutants } from '../../test/equivalent-mutants.ts'
import type { Mutant } from './mutants.ts'
import type { Ended } from './processes.ts'

export interface Result {
  readonly status: 'killed' | 'survived' | 'timeout'
  /** The file of the test that noticed it. */
  readonly file?: string
}

/**
 * Results of earlier runs, which lie beside the tests, because all mutants take hours. A killed one counts while its source and that test
 * are the same, a survivor while no test has changed.
 */
export interface KeptResults {
  get(mutant: Mutant): Result | undefined
  set(mutant: Mutant, ended: Ended): void
  save(): void
}

interface Kept extends Result {
  readonly testsHash: string
}

export function keptResults(root: string, testsOf: (part: string) => readonly string[]): KeptResults {
  const path = join(root, 'test/mutation-results.json')
  const kept = new Map<string, Kept>(Object.entries(readIfThere(path)))
  const added = new Map<string, Kept>()
  const hashes = new Map<string, string>()
  const hashOf = (...files: readonly string[]) => {
    const key = files.join('\n')
    const known = hashes.get(key) ?? hash(...files.map((file) => readFileSync(join(root, file), 'utf8')))
    hashes.set(key, known)
    return known
  }
  // `a`, `a && b` and `a && b && c` begin at the same place, and each can become `true`.
  const keyOf = ({ file, start, operator, original, replacement }: Mutant) =>
    hash(file, hashOf(file), String(start), operator, original, replacement)

  return {
    get(mutant) {
      const found = kept.get(keyOf(mutant))
      if (!found) return undefined
      const tests = found.file ? [found.file] : testsOf(mutant.part)
      return found.testsHash === hashOf(...tests) ? found : undefined
    },
    set(mutant, { status, file }) {
      const testsHash = hashOf(...(file ? [file] : testsOf(mutant.part)))
      const result = { status, ...(file && { file }), testsHash }
      kept.set(keyOf(mutant), result)
      added.set(keyOf(mutant), result)
    },
    save() {
      // Another run may have added some meanwhile.
      writeFileSync(path, textOf({ ...readIfThere(path), ...Object.fromEntries(added) }))
    },
  }
}

/**
 * An order of chance that stays the same: mutants are tried in it, so that those which were tried until a run is interrupted are a sample of
 * all.
 */
export function byChance(one: Mutant, other: Mutant): number {
  return drawOf(one) < drawOf(other) ? -1 : 1
}

function drawOf({ file, start, operator, replacement }: Mutant): string {
  return hash(file, String(start), operator, replacement)
}

/** A line for each, in the order of the keys: what has not changed makes no difference between two runs. */
function textOf(results: Readonly<Record<string, Kept>>): string {
  const lines = Object.keys(results)
    .sort()
    .map((key) => `${JSON.stringify(key)}: ${JSON.stringify(results[key])}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

function hash(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16)
}

function readIfThere(path: string): Record<string, Kept> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

/** Why no test can notice the mutant, where that is so. */
export function equivalenceOf(root: string, mutant: Mutant): string | undefined {
  const text = linesOf(join(root, mutant.file))[mutant.line - 1] ?? ''
  return equivalentMutants.find(
    ({ file, original, replacement, line }) =>
      (file === undefined || file === mutant.file) &&
      (original === undefined || original === mutant.original.trim()) &&
      (replacement === undefined || replacement === mutant.replacement.trim()) &&
      (line === undefined || line.test(text)),
  )?.reason
}

const read = new Map<string, readonly string[]>()
function linesOf(path: string): readonly string[] {
  const lines = read.get(path) ?? readFileSync(path, 'utf8').split('\n')
  read.set(path, lines)
  return lines
}
