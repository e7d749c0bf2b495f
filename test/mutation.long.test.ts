import ts from 'typescript'
import { expect, test } from 'vitest'
import { mutateSources } from '../scripts/mutation/mutants.ts'
import { parts } from '../scripts/mutation/parts.ts'
import { root } from './support/recipe.ts'

test('each source is valid TypeScript with all of its mutants compiled in', () => {
  const invalid = [...mutateSources(root, parts).instrumented].flatMap(([fileName, text]) => {
    const { diagnostics = [] } = ts.transpileModule(text, { fileName, reportDiagnostics: true })
    return diagnostics.map(({ messageText }) => `${fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  })
  expect(invalid).toEqual([])
})
