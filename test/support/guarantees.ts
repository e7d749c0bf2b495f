import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { type DocumentedOperation, operations } from './openapi.ts'

/** The file of the table: `MUSTER_TEST_TABLE=dist/guarantees.md npm test`. */
const table = process.env.MUSTER_TEST_TABLE
const folder = `${table}.seen`
const seenHere = new Set<string>()

/** Each worker notes what it saw in a file of its own. */
export function noteAnswer(operationId: string, answer: { readonly status: number; readonly code?: string }): void {
  const line = lineOf(operationId, answer.code ?? answer.status)
  if (table === undefined || seenHere.has(line)) return
  seenHere.add(line)
  appendFileSync(join(folder, `${process.pid}-${threadId}`), `${line}\n`)
}

const lineOf = (operationId: string, outcome: string | number) => `${operationId} ${outcome}`

/** Before the first test. Returns what follows the last one, and a sentence about the result. */
export function startTable(): () => string | undefined {
  if (table === undefined) return () => undefined
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return () => {
    const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    rmSync(folder, { recursive: true })
    const { text, missing } = tableOf(new Set(lines))
    writeFileSync(table, text)
    return `${table} has what the tests saw of ${operations.length} operations: ${missing} promises of single operations are NOT seen.`
  }
}

/** Codes of so many operations are held by tests of all operations: test/http/every-operation. */
const sharedFrom = 60
const operationsWith = (code: string) =>
  operations.filter(({ answers }) => answers.some(({ codes }) => codes.includes(code)))

function tableOf(seen: ReadonlySet<string>): { readonly text: string; readonly missing: number } {
  const codes = [...new Set(operations.flatMap(({ answers }) => answers.flatMap((answer) => answer.codes)))]
  const shared = codes.filter((code) => operationsWith(code).length >= sharedFrom)
  const rows = operations.map((operation) => rowOf(operation, { seen, shared }))
  const sharedRows = shared.map((code) => {
    const all = operationsWith(code)
    const count = all.filter(({ id }) => seen.has(lineOf(id, code))).length
    return `| \`${code}\` | ${count} of ${all.length} |`
  })
  const text = `# What the tests saw

A run of the tests wrote this. Each promise of openapi.json, by operation: seen in an answer over HTTP, or **NOT**.

| operation | success | refusals seen | NOT seen |
|---|---|---|---|
${rows.map(({ row }) => row).join('\n')}

## Refusals of ${sharedFrom} operations or more

| code | seen at |
|---|---|
${sharedRows.join('\n')}
`
  return { text, missing: rows.reduce((sum, row) => sum + row.missing, 0) }
}

function rowOf(
  { id, method, path, answers }: DocumentedOperation,
  { seen, shared }: { readonly seen: ReadonlySet<string>; readonly shared: readonly string[] },
) {
  const isSeen = (outcome: string | number) => seen.has(lineOf(id, outcome))
  const successes = answers.filter(({ codes }) => codes.length === 0).map(({ status }) => status)
  const refusals = answers.flatMap(({ codes }) => codes).filter((code) => !shared.includes(code))
  const missing = [...successes, ...refusals].filter((outcome) => !isSeen(outcome))
  const marked = successes.map((status) => (isSeen(status) ? status : `**NOT ${status}**`)).join(', ')
  const cells = [`\`${method} ${path}\``, marked, refusals.filter(isSeen).join(', '), missing.join(', ')]
  return { row: `| ${cells.join(' | ')} |`, missing: missing.length }
}
