import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type StaticDocument, staticDocument } from '../platform/http/static-document.ts'
import { packageRoot } from '../platform/package-root.ts'

/** One file of the console, compressed when it is first asked for. */
export interface ConsoleFile {
  readonly type: string
  document(): Promise<StaticDocument>
}

/** The built console. */
export interface ConsoleFiles {
  readonly page: ConsoleFile
  /** By their names, which change with their content: nothing else can be asked for. */
  readonly assets: ReadonlyMap<string, ConsoleFile>
}

/** Where `npm run build` puts the console. */
export function builtConsoleFolder(): string {
  return join(packageRoot(), 'console/dist')
}

/** The files as they are at the start; nothing where the console was not built. */
export function readConsoleFiles(folder: string): ConsoleFiles | undefined {
  const page = join(folder, 'index.html')
  if (!existsSync(page)) return undefined
  const assets = join(folder, 'console/assets')
  const names = existsSync(assets) ? filesIn(assets) : []
  return { page: readFile(page), assets: new Map(names.map((name) => [name, readFile(join(assets, name))])) }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

function readFile(path: string): ConsoleFile {
  const bytes = readFileSync(path)
  let document: Promise<StaticDocument> | undefined
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    document() {
      document ??= staticDocument(bytes)
      return document
    },
  }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
