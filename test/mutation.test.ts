import { transformWithOxc } from 'vite'
import { expect, test } from 'vitest'
import { type Mutant, mutateSources } from '../scripts/mutation/mutants.ts'
import { parts } from '../scripts/mutation/parts.ts'
import { keptResults } from '../scripts/mutation/results.ts'
import { root } from './support/recipe.ts'

// By what runs them: the compiler of TypeScript finds some faults only when it checks types.
test('each source can be run with all of its mutants compiled in', async () => {
  const invalid: string[] = []
  for (const [fileName, text] of mutateSources(root, parts).instrumented)
    await transformWithOxc(text, fileName).catch((error: unknown) => invalid.push(`${fileName}: ${error}`))
  expect(invalid).toEqual([])
})

test('a condition and the one that it is a part of have results of their own', () => {
  const ofOnePart = parts.filter(({ name }) => name === 'user-data')
  const { mutants } = mutateSources(root, ofOnePart)
  const [whole, part] = mutants.flatMap((mutant) => {
    const inner = mutants.find((other) => isPartOf(other, mutant))
    return inner ? [mutant, inner] : []
  })
  const results = keptResults(root, () => [])
  const before = part && results.get(part)
  if (whole) results.set(whole, { kind: 'ended', id: whole.id, status: before ? 'survived' : 'killed', ms: 0 })
  expect(part && results.get(part)).toEqual(before)
  expect(whole && results.get(whole)?.status).toBe(before ? 'survived' : 'killed')
})

function isPartOf(inner: Mutant, outer: Mutant): boolean {
  const { file, start, operator, replacement, original } = outer
  const isBeside = inner.file === file && inner.start === start && inner.operator === operator
  return isBeside && inner.replacement === replacement && original.startsWith(`${inner.original} `)
}
