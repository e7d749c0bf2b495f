import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mutants } from './mutants.ts'
import { root } from './support/recipe.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

test('every mutant can be made, and its test is there: scripts/mutate.ts says whether the test fails', () => {
  for (const { fault, file, search, replace, test: path, title } of mutants) {
    expect(textOf(file).split(search).length - 1, `${fault}: in ${file}`).toBe(1)
    expect(replace, fault).not.toBe(search)
    expect(textOf(path), fault).toContain(title)
  }
})
