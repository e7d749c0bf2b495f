import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allContracts } from '../../src/contracts.ts'
import { problemsOf } from '../../src/platform/http/problem-body.ts'
import { problems } from '../../src/platform/problems.ts'

const page = readFileSync(new URL('../../docs/problems.md', import.meta.url), 'utf8')
const documented = [...page.matchAll(/^### (\w+)\n+(?:\*\*)?(\d{3})\./gm)].map(([, code, status]) => [
  code,
  Number(status),
])

test('docs/problems.md lists exactly the known problems with their status', () => {
  const known = Object.entries(problems).map(([code, { status }]) => [code, status])
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(known))
  expect(documented).toHaveLength(known.length)
})

test('the problems of every operation are in the table', () => {
  for (const code of allContracts.flatMap(problemsOf)) expect(Object.keys(problems)).toContain(code)
})

test('every title is one sentence', () => {
  for (const { title } of Object.values(problems)) expect(title).toMatch(/^[A-Z][^.]*\.$/)
})
