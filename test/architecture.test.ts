import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { libraries, mayImport, questions } from './support/rooms.ts'
import { importsOf, loadedAtOnce, loadedBy, type Source, sourcesOf, treeOf, visit } from './support/sources.ts'

const generated = 'client/src/api.ts'
const all = [
  'src',
  'cli',
  'client/src',
  'react/src',
  'console/src',
  'embedded',
  'key-check',
  'bench',
  'simulators',
  'scripts',
]
  .flatMap(sourcesOf)
  .filter(({ file }) => !/^(embedded|key-check)\/test\//.test(file))
const ofService = all.filter(
  ({ file }) => /^(src|cli|client|react|console|key-check|embedded)\//.test(file) && file !== generated,
)

describe('imports between folders', () => {
  const arrows = arrowsBetweenRooms(all)

  test('every file belongs to a folder in the table', () => {
    expect(all.filter(({ file }) => roomOf(file) === undefined).map(({ file }) => file)).toEqual([])
  })

  test('match the table exactly, without unused entries', () => {
    const drawn = Object.fromEntries(Object.entries(mayImport).map(([room, targets]) => [room, [...targets].sort()]))
    const used = Object.fromEntries(Object.keys(mayImport).map((room) => [room, [...(arrows.get(room) ?? [])].sort()]))
    expect(used, 'the imports of each folder, beside `mayImport` in test/support/rooms.ts').toEqual(drawn)
  })

  test('point down: main, app, the console, features, identity, platform; a feature never imports another one', () => {
    const upward = Object.entries(mayImport).flatMap(([room, targets]) =>
      targets.filter((target) => !mayPoint(room, target)).map((target) => `${room} → ${target}`),
    )
    expect(upward).toEqual([])
  })

  test('have no cycle', () => {
    expect(circlesOf(new Map(Object.entries(mayImport)))).toEqual([])
  })
})

test('files import each other without cycles, including types', () => {
  const graph = new Map(all.map(({ file, imports }) => [file, imports]))
  expect(circlesOf(graph)).toEqual([])
})

describe('folders whose files are found at the start', () => {
  test('a provider imports only its own folder, the provider interface, the readers of answers and the signatures', () => {
    const allowed = ['provider', 'answers', 'signatures'].map((name) => `key-check/engine/${name}.ts`)
    for (const { file, imports } of filesIn('key-check/providers/'))
      expect(
        imports.filter((path) => !path.startsWith(file.replace(/\.ts$/, '/')) && !allowed.includes(path)),
        file,
      ).toEqual([])
  })

  test('a payment processor imports only its own folder, its three files of billing, problems, secrets and outgoing calls', () => {
    const allowed = ['events', 'processor', 'signature'].map((name) => `src/billing/${name}.ts`)
    const platform = ['src/platform/problems.ts', 'src/platform/secret.ts', 'src/platform/outgoing/']
    const isAllowed = (path: string) => allowed.includes(path) || platform.some((start) => path.startsWith(start))
    for (const { file, imports } of filesIn('src/billing/processors/')) {
      const own = file.split('/').length > 4 ? file.slice(0, file.lastIndexOf('/') + 1) : file
      expect(
        imports.filter((path) => !path.startsWith(own) && !isAllowed(path)),
        file,
      ).toEqual([])
    }
  })

  test('no file imports a provider or a payment processor', () => {
    const outside = all.filter(({ file }) => !/^(key-check\/providers|src\/billing\/processors)\//.test(file))
    for (const { file, imports } of outside)
      expect(
        imports.filter((path) => /^(key-check\/providers|src\/billing\/processors)\//.test(path)),
        file,
      ).toEqual([])
  })
})

test('the command line uses queries and contracts, never route handlers', () => {
  for (const { file, imports } of filesIn('cli/'))
    expect(
      imports.filter((path) => /(^|[/-])routes?(\/|\.ts$)/.test(path)),
      file,
    ).toEqual([])
})

test('a command that needs only the database loads none of the other settings', () => {
  for (const name of ['audit', 'billing', 'directory', 'passwords', 'plans', 'roles', 'users']) {
    const entries = ['cli/muster.ts', 'cli/with-database.ts', `cli/commands/${name}.ts`]
    const loaded = new Set(entries.flatMap((entry) => loadedFrom(entry, loadedAtOnce)))
    expect(loaded, name).not.toContain('src/config.ts')
  }
})

test.each(['simulators/', 'client/', 'react/', 'console/', 'embedded/', 'key-check/'])(
  '%s imports nothing of the service',
  (folder) => {
    for (const { file, imports } of filesIn(folder))
      expect(
        imports.filter((path) => /^(src|cli)\//.test(path)),
        file,
      ).toEqual([])
  },
)

test('whatever loads an HTTP client also knows the outgoing proxies', () => {
  const clients = ['undici', 'node:https', '@opentelemetry/exporter-trace-otlp-http']
  const calling = [...filesIn('src/'), ...filesIn('cli/')].filter(
    (source) =>
      loadedBy(source).some((name) => clients.includes(name)) ||
      /new Stripe\(|(?:await|return|=>?) fetch\(/.test(source.text),
  )
  const without = calling.filter(({ file, imports }) => ![file, ...imports].some((path) => path.includes('/outgoing/')))
  expect(calling.length).toBeGreaterThan(5)
  expect(without.map(({ file }) => file)).toEqual([])
})

test('the service and the command line use the libraries through index.ts, or files that import nothing', () => {
  const alone = /^key-check\/(key-file|nearest-name)\.ts$/
  expect(filesIn('key-check/').flatMap(({ file, imports }) => (alone.test(file) ? imports : []))).toEqual([])
  for (const { file, imports } of [...filesIn('src/'), ...filesIn('cli/')])
    expect(
      imports.filter((path) => /^(embedded|key-check)\/(?!index\.ts$)/.test(path) && !alone.test(path)),
      file,
    ).toEqual([])
})

describe('the embeddable library of key checks', () => {
  const loaded = loadedFrom('key-check/index.ts')

  test('loads only these packages', () => {
    const packages = loaded.filter((name) => !name.endsWith('.ts') && !name.startsWith('node:'))
    expect(packages.sort()).toEqual(['ipaddr.js', 'lru-cache', 'undici'])
  })

  test('type imports do not count as loaded, all other imports do', () => {
    const forms = [
      "import one from './one.ts'",
      "import type { Two } from './two.ts'",
      "import { type Three } from './three.ts'",
      "export type { Four } from './four.ts'",
      "export { five } from '../five.ts'",
      "const six = await import('six')",
      "type Seven = import('./seven.ts').Seven",
    ]
    const text = forms.join('\n')
    expect(loadedBy({ file: 'src/room/file.ts', text })).toEqual([
      'src/room/one.ts',
      'src/room/three.ts',
      'src/five.ts',
      'six',
    ])
  })
})

test('tests over HTTP import nothing of the service and its programs', () => {
  const faults = sourcesOf('test/http').flatMap(({ file, imports }) =>
    imports
      .filter((path) => /^(src|cli|embedded|key-check|scripts)\//.test(path))
      .map(
        (path) =>
          `${file} imports ${path}. Below test/http, a test knows only what callers see: take it from openapi.json ` +
          `(test/support/openapi.ts), write the literal, or use a helper of test/support. A test of ${path} itself belongs into ${unitTestsOf(path)}/.`,
      ),
  )
  expect(faults).toEqual([])
})

test('no folder for miscellaneous code', () => {
  const leftovers = /(^|\/)(utils?|helpers?|common|shared|lib|misc|services|managers?|interfaces|types)(\/|\.ts$)/
  expect(all.filter(({ file }) => leftovers.test(file) && !file.startsWith('bench/')).map(({ file }) => file)).toEqual(
    [],
  )
})

test('functions stay below 60 lines, and files below 320, but for the table of routes', () => {
  for (const source of ofService) {
    if (source.file !== 'src/app.ts')
      expect(source.text.split('\n').length, `${source.file} is too long`).toBeLessThanOrEqual(320)
    for (const { name, lines } of functionsOf(source))
      expect(lines, `${name} in ${source.file} is too long`).toBeLessThanOrEqual(60)
  }
})

test('every cast has a comment that names its trust boundary, and no value is asserted to exist', () => {
  for (const source of ofService)
    for (const { line, above } of castsOf(source))
      expect(above, `${source.file}:${line} casts without a comment`).toMatch(/\/\/|\*\//)
})

test('the parser finds imports of every form', () => {
  const forms = [
    "import one from './one.ts'",
    "import type { Two } from '../two.ts'",
    "export { three } from './three.ts'",
    "export type { Four } from './four.ts'",
    "import './five.ts'",
    "const six = await import('./six.ts')",
    "type Seven = import('./seven.ts').Seven",
  ]
  expect([...importsOf('src/room/file.ts', forms.join('\n'))].sort()).toEqual(
    ['room/five', 'room/four', 'room/one', 'room/seven', 'room/six', 'room/three', 'two'].map(
      (path) => `src/${path}.ts`,
    ),
  )
})

/** The folder of the unit tests of a source. */
function unitTestsOf(path: string): string {
  const folder = path.slice(0, path.lastIndexOf('/'))
  const [library, ...rest] = folder.split('/')
  if (library === 'key-check' || library === 'embedded') return [library, 'test', ...rest].join('/')
  return library === 'src' ? ['test', ...rest].join('/') : `test/${folder}`
}

function filesIn(folder: string): readonly Source[] {
  return all.filter(({ file }) => file.startsWith(folder))
}

/** Everything that is loaded with the file, transitively. */
function loadedFrom(entry: string, loadedWith = loadedBy): readonly string[] {
  const reached = new Set([entry])
  for (const path of reached)
    for (const source of all.filter(({ file }) => file === path))
      for (const next of loadedWith(source)) reached.add(next)
  return [...reached]
}

/** The folder of a file: the longest path in the table that contains it. */
function roomOf(file: string): string | undefined {
  const path = file.replace(/^src\//, '')
  return Object.keys(mayImport)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0]
}

function arrowsBetweenRooms(sources: readonly Source[]): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>()
  for (const { file, imports } of sources)
    for (const path of imports) {
      const [from, to] = [roomOf(file), roomOf(path) ?? path]
      if (from === undefined || from === to) continue
      arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
    }
  return arrows
}

/** Programs and the top of `src/` may import everything below; other folders only lower layers. */
function mayPoint(room: string, target: string): boolean {
  const [from, to] = [layerOf(room), layerOf(target)]
  if (from === 'question' && to === 'question') return questionOf(room) === questionOf(target)
  return layers.indexOf(from) >= layers.indexOf(to)
}

const layers = ['library', 'platform', 'identity', 'question', 'console', 'top', 'program'] as const

function layerOf(room: string): (typeof layers)[number] {
  if (libraries.some((library) => room === library || room.startsWith(`${library}/`))) return 'library'
  if (room.startsWith('platform/')) return 'platform'
  if (questionOf(room) !== undefined) return 'question'
  if (room === 'identity' || room === 'console') return room
  return room.endsWith('.ts') || room === 'service' || room === 'settings' ? 'top' : 'program'
}

function questionOf(room: string): string | undefined {
  return questions.find((question) => room === question || room.startsWith(`${question}/`))
}

/** Strongly connected components (Tarjan), sorted. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []

  function enter(node: string): void {
    index.set(node, index.size)
    low.set(node, index.get(node) ?? 0)
    stack.push(node)
    for (const target of graph.get(node) ?? []) {
      if (!graph.has(target)) continue
      if (!index.has(target)) enter(target)
      if (stack.includes(target)) low.set(node, Math.min(low.get(node) ?? 0, low.get(target) ?? 0))
    }
    if (low.get(node) !== index.get(node)) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) circles.push(group.sort())
  }

  for (const node of graph.keys()) if (!index.has(node)) enter(node)
  return circles.sort((a, b) => String(a[0]).localeCompare(String(b[0])))
}

function functionsOf(source: Source): { name: string; lines: number }[] {
  const found: { name: string; lines: number }[] = []
  const tree = treeOf(source)
  visit(tree, (node) => {
    if (!ts.isFunctionDeclaration(node) && !ts.isMethodDeclaration(node)) return
    found.push({ name: node.name?.getText(tree) ?? '', lines: node.getText(tree).split('\n').length })
  })
  return found
}

/** Casts other than `as const`, and `!`, each with the three lines above it. */
function castsOf(source: Source): { line: number; above: string }[] {
  const found: { line: number; above: string }[] = []
  const tree = treeOf(source)
  const lines = source.text.split('\n')
  visit(tree, (node) => {
    if (!ts.isAsExpression(node) && !ts.isNonNullExpression(node)) return
    if (ts.isAsExpression(node) && node.type.getText(tree) === 'const') return
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
    found.push({ line: line + 1, above: lines.slice(Math.max(0, line - 3), line).join('\n') })
  })
  return found
}
