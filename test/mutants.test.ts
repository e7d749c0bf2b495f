import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from '../scripts/mutation/instrument.ts'
import { mutationsOf } from '../scripts/mutation/operators.ts'
import { equivalentMutants } from './equivalent-mutants.ts'
import { mutants } from './mutants.ts'
import { root } from './support/recipe.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

test('every mutant can be made, and its test is there: `npm run mutate` says whether the test fails', () => {
  for (const { fault, file, search, replace, test: path, title } of mutants) {
    expect(textOf(file).split(search).length - 1, `${fault}: in ${file}`).toBe(1)
    expect(replace, fault).not.toBe(search)
    expect(textOf(path), fault).toContain(title)
  }
})

test('every equivalent mutant of a file is one that can still be made', () => {
  for (const { file, original, replacement, reason } of equivalentMutants) {
    if (file === undefined) continue
    const made = mutationsOf(parse(file, textOf(file))).filter(
      (one) =>
        (replacement === undefined || one.replacement.trim() === replacement) &&
        (original === undefined || textOf(file).slice(one.start, one.end).trim() === original),
    )
    expect(made.length, `${file}: ${original} → ${replacement} (${reason})`).toBeGreaterThan(0)
  }
})
