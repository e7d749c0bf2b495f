import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../identity/operation.ts'
import { pageHeaders } from '../platform/http/default-headers.ts'
import { type BuiltFile, builtFile, sendDocument } from '../platform/http/static-document.ts'
import { packageRoot } from '../platform/package-root.ts'
import { refuse } from '../platform/problems.ts'
import { consolePageContracts } from './contract.ts'

/** Trusted Types: text cannot become markup or code, except through the page's own policies. */
const sources = { 'img-src': "'self' data:", 'font-src': "'self'", 'require-trusted-types-for': "'script'" }

/** The page of the console and its files. `issuerOrigins`: other origins that its scripts may call. */
export function consolePages({ page, assets }: ConsoleFiles, issuerOrigins: readonly string[]) {
  const headers = pageHeaders({ ...sources, 'connect-src': ["'self'", ...issuerOrigins].join(' ') })
  return operations(consolePageContracts, {
    page: (input) => {
      input.reply.headers(headers)
      // Not cached: the page names the files of its release, which an upgrade removes.
      return sendDocument(page.document, input, { type: page.type, cacheControl: 'no-cache' })
    },
    file: (input) => {
      const { type, document } = assets.get(input.params.file) ?? refuse('route_unknown')
      return sendDocument(document, input, { type, cacheControl: 'public, max-age=31536000, immutable' })
    },
  })
}

/** The built console. */
export interface ConsoleFiles {
  readonly page: BuiltFile
  /** Files by name. Only these names can be requested; they change with the content. */
  readonly assets: ReadonlyMap<string, BuiltFile>
}

/** The output of `npm run build`. */
export function builtConsoleFolder(): string {
  return join(packageRoot(), 'console/dist')
}

/** Reads the files once at the start. Undefined if the console is not built. */
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

/** Kept in memory, so that a build at run time does not break open pages. */
function readFile(path: string): BuiltFile {
  const bytes = readFileSync(path)
  return builtFile(path, () => bytes)
}
