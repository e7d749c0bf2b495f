/**
 * Prints every named statement of the sources as JSON, with the newest migration: `npm run release` stores that as
 * test/releases/<version>.json.
 * Run: `node --import ./scripts/statement-registry.mjs scripts/statements.ts`.
 */
import { readdirSync } from 'node:fs'
import { migrationNames, migrationsFolder } from '../src/platform/database/schema.ts'
import { sortNames, sorts, type UsersFilters, type UsersSort } from '../src/users/filters.ts'
import { countStatement, listStatement } from '../src/users/list-all.ts'
import type { ListFormatName } from '../src/users/list-formats.ts'
import { pageStatement, type Scan } from '../src/users/list-page.ts'

declare global {
  /** Set by statement-registry.mjs. */
  var registered: { readonly statements: Map<string, string>; readonly declared: Set<string> } | undefined
}

const found = globalThis.registered
if (!found) throw new Error('Run with --import ./scripts/statement-registry.mjs.')

/** Programs, which would start. */
const programs = new Set(['../src/main.ts', '../cli/muster.ts'])
for (const room of ['../src', '../cli']) {
  const files = readdirSync(new URL(room, import.meta.url), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.ts')).map((name) => `${room}/${name}`))
    if (!programs.has(file)) await import(new URL(file, import.meta.url).href)
}

// Statements of lists are created on use: create those without a filter, and with one filter of each kind.
const all: UsersFilters = {
  email: 'part',
  role: 'admin',
  orgId: '00000000-0000-7000-8000-000000000000',
  status: 'active',
}
const scans: readonly Scan[] = ['index_scan_2k', 'index_scan_40k', 'filter_index', 'full_scan']
makeListStatements({}, 'created', 'json')
for (const sort of sortNames) makeListStatements(all, sort, 'json')
for (const format of ['csv', 'ndjson'] as const) makeListStatements(all, 'created', format)

const names = await migrationNames(migrationsFolder())
const missing = [...found.declared].filter((name) => name !== '' && !found.statements.has(name))
if (missing.length > 0) throw new Error(`These statements were not evaluated: ${missing.join(', ')}.`)
const statements = Object.fromEntries([...found.statements].filter(([name]) => name !== '').sort())
process.stdout.write(`${JSON.stringify({ migration: names.at(-1), statements }, null, 1)}\n`, () => process.exit())

function makeListStatements(filters: UsersFilters, sort: UsersSort, format: ListFormatName): void {
  countStatement(filters)
  listStatement({ filters, sort, format })
  const page = { filters, sort, after: sorts[sort].start, limit: 1 }
  for (const scan of scans) {
    pageStatement({ ...page, format }, scan)
    for (const isReversed of [false, true]) pageStatement({ ...page, format: 'record', isReversed }, scan)
  }
}
