import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltFile, builtFile } from '../platform/http/static-document.ts'
import { packageRoot } from '../platform/package-root.ts'

/** The built console. */
export interface ConsoleFiles {
  readonly page: BuiltFile
  /** By their names, which change with their content: nothing else can be asked for. */
  readonly assets: ReadonlyMap<string, BuiltFile>
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

/** In memory from the start: a build meanwhile changes nothing for a page that is open. */
function readFile(path: string): BuiltFile {
  const bytes = readFileSync(path)
  return builtFile(path, () => bytes)
}
