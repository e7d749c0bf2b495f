import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Which rooms a room may import from. What stands alone at the top of `src/` is a room of its own, by its name. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  secret: [],
  clock: [],
  'package-root': [],
  settings: ['secret'],
  config: ['settings', 'secret'],
  problems: [],
  log: [],
  openapi: ['contract', 'problems', 'server'],
  database: ['problems', 'secret', 'package-root'],
  accounts: ['access', 'clock', 'contract', 'database', 'problems', 'secret'],
  access: ['clock', 'contract', 'database', 'problems', 'secret'],
  billing: ['access', 'accounts', 'clock', 'contract', 'database', 'problems', 'secret'],
  issuer: ['access', 'clock', 'contract', 'database', 'problems', 'secret'],
  validation: ['clock', 'contract', 'database', 'problems', 'secret'],
  providers: ['validation/outcome'],
  server: ['access', 'contract', 'problems'],
  operations: [
    'access',
    'accounts',
    'billing',
    'contract',
    'database',
    'issuer',
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
    'package-root',
    'validation',
  ],
  'first-start': ['config', 'database', 'issuer', 'secret'],
  serve: ['app', 'config', 'database', 'first-start', 'log', 'open-parts', 'settings'],
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

test('files stay below 300 lines, functions below 60', () => {
  for (const { file, text } of [...sources('src'), ...sources('cli')]) {
    expect(text.split('\n').length, `${file} is too long`).toBeLessThanOrEqual(300)
    for (const { name, lines } of functionsOf(text))
      expect(lines, `${name} in ${file} is too long`).toBeLessThanOrEqual(60)
  }
})

test('no cast but the commented ones at a border', () => {
  for (const { file, text } of sources('src')) {
    const lines = text.split('\n')
    lines.forEach((line, index) => {
      if (!/[^/*]*\bas (?!const\b)[A-Z{a-z]/.test(line) || /^\s*(\/\/|\*|\/\*|`|import|export)/.test(line)) return
      if (!/\) as |\w as [A-Z]|\w as object/.test(line) || / as [a-z_]+[,\s`]|\bas \w+ from|import \*/.test(line))
        return
      expect(`${lines[index - 1]}${lines[index - 2]}`, `${file}:${index + 1} casts without a comment`).toMatch(
        /\/\/|\*\//,
      )
    })
  }
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

/** Top-level and nested `function` declarations, by the indentation of their closing brace. */
function functionsOf(text: string): { name: string; lines: number }[] {
  const found: { name: string; lines: number }[] = []
  for (const match of text.matchAll(/^( *)(?:export )?(?:async )?function\*? (\w+)[\s\S]*?^\1\}/gm))
    found.push({ name: match[2] ?? '', lines: match[0].split('\n').length })
  return found
}
