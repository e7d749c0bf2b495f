import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltFile, builtFile } from '../platform/http/static-document.ts'
import { packageRoot } from '../platform/package-root.ts'

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
