import { transformWithOxc } from 'vite'
import { expect, test } from 'vitest'
import { mutateSources } from '../scripts/mutation/mutants.ts'
import { parts } from '../scripts/mutation/parts.ts'
import { root } from './support/recipe.ts'

// By what runs them: the compiler of TypeScript finds some faults only when it checks types.
test('each source can be run with all of its mutants compiled in', async () => {
  const invalid: string[] = []
  for (const [fileName, text] of mutateSources(root, parts).instrumented)
    await transformWithOxc(text, fileName).catch((error: unknown) => invalid.push(`${fileName}: ${error}`))
  expect(invalid).toEqual([])
})
