import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Which rooms a room may import from. What stands alone at the top of `src/` is a room of its own, by its name. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  secret: [],
  clock: [],
  'package-root': [],
  settings: ['secret'],
  config: ['access/issuer-entries', 'settings', 'secret'],
  problems: [],
  log: [],
  openapi: ['contract', 'problems', 'server'],
  database: ['problems', 'secret', 'package-root'],
  audit: ['database'],
  accounts: ['access', 'audit', 'clock', 'contract', 'database', 'problems', 'secret'],
  access: ['clock', 'contract', 'database', 'problems', 'secret'],
  metrics: [],
  billing: ['access', 'accounts', 'audit', 'clock', 'contract', 'database', 'problems', 'secret'],
  issuer: ['access', 'audit', 'clock', 'contract', 'database', 'package-root', 'problems', 'secret'],
  validation: ['audit', 'clock', 'contract', 'database', 'problems', 'secret'],
  providers: ['validation/outcome'],
  server: ['access', 'contract', 'problems'],
  operations: [
    'access',
    'accounts',
    'audit',
    'billing',
    'contract',
    'database',
    'issuer',
    'metrics',
    'package-root',
    'problems',
    'secret',
    'server',
    'validation',
  ],
  app: [
    'access',
    'accounts',
    'billing',
    'contract',
    'database',
    'issuer',
    'log',
    'metrics',
    'openapi',
    'operations',
    'server',
    'validation',
  ],
  'open-parts': [
    'access',
    'accounts',
    'app',
    'billing',
    'clock',
    'config',
    'database',
    'issuer',
    'metrics',
    'package-root',
    'validation',
    'workers',
  ],
  'first-start': ['config', 'database', 'issuer', 'secret'],
  workers: ['access', 'config', 'database', 'validation'],
  serve: [
    'app',
    'billing',
    'config',
    'database',
    'first-start',
    'issuer',
    'log',
    'open-parts',
    'package-root',
    'settings',
    'workers',
  ],
  main: ['config', 'database', 'serve'],
}

const forbiddenRooms = /(^|\/)(utils?|helpers?|common|shared|lib|misc|services?|managers?|interfaces|types)(\/|\.ts$)/

test('arrows between rooms point down', () => {
  for (const { file, room, imports } of sources('src'))
    for (const target of imports) {
      const allowed = mayImport[room]
      expect(allowed, `${file}: the room ${room} is not in the table`).toBeDefined()
      const isAllowed = target.room === room || allowed?.includes(target.room) || allowed?.includes(target.module)
      expect(isAllowed, `${file} (${room}) must not import ${target.module}`).toBe(true)
    }
})

test('nothing imports a provider: the folder is the registry', () => {
  for (const { file, imports } of [...sources('src'), ...sources('cli')])
    for (const target of imports) expect(target.room, `${file} imports ${target.module}`).not.toBe('providers')
})

test('simulators know nothing of the service', () => {
  for (const { file, imports } of sources('simulators'))
    for (const target of imports) expect(target.module.startsWith('..'), `${file} imports ${target.module}`).toBe(true)
})

test('no rooms for leftovers', () => {
  for (const { file } of [...sources('src'), ...sources('cli'), ...sources('simulators')])
    expect(file).not.toMatch(forbiddenRooms)
})

test('files stay below 320 lines, functions below 60', () => {
  for (const { file, text } of [...sources('src'), ...sources('cli')]) {
    expect(text.split('\n').length, `${file} is too long`).toBeLessThanOrEqual(320)
    for (const { name, lines } of functionsOf(file, text))
      expect(lines, `${name} in ${file} is too long`).toBeLessThanOrEqual(60)
  }
})

test('every cast says in a comment at which border it stands, and nothing is asserted to be there', () => {
  for (const { file, text } of [...sources('src'), ...sources('cli')])
    for (const { line, above } of castsOf(file, text))
      expect(above, `${file}:${line} casts without a comment`).toMatch(/\/\/|\*\//)
})

interface Source {
  readonly file: string
  readonly room: string
  readonly text: string
  readonly imports: readonly { readonly room: string; readonly module: string }[]
}

function sources(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => sourceOf(join(folder, path)))
}

function sourceOf(file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  const targets = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path]) =>
    relative(join(root, 'src'), resolve(root, dirname(file), path ?? '')),
  )
  const imports = targets.map((path) => ({ room: roomOf(path), module: path.replace(/\.ts$/, '') }))
  return { file: file.replaceAll(sep, '/'), room: roomOf(relative('src', file)), text, imports }
}

function roomOf(path: string): string {
  return (path.split(sep)[0] ?? '').replace(/\.ts$/, '')
}

function functionsOf(file: string, text: string): { name: string; lines: number }[] {
  const found: { name: string; lines: number }[] = []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  visit(source, (node) => {
    if (!ts.isFunctionDeclaration(node) && !ts.isMethodDeclaration(node)) return
    found.push({ name: node.name?.getText(source) ?? '', lines: node.getText(source).split('\n').length })
  })
  return found
}

/** Casts other than `as const`, and `!`, with the three lines above each. */
function castsOf(file: string, text: string): { line: number; above: string }[] {
  const found: { line: number; above: string }[] = []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  visit(source, (node) => {
    if (!ts.isAsExpression(node) && !ts.isNonNullExpression(node)) return
    if (ts.isAsExpression(node) && node.type.getText(source) === 'const') return
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line
    found.push({
      line: line + 1,
      above: text
        .split('\n')
        .slice(Math.max(0, line - 3), line)
        .join('\n'),
    })
  })
  return found
}

function visit(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node)
  ts.forEachChild(node, (child) => visit(child, each))
}
