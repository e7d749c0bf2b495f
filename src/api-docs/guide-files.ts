import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type BuiltFile, builtFile } from '../platform/http/static-document.ts'
import { packageRoot } from '../platform/package-root.ts'

/** The files of the documentation by what stands behind `/docs/guide/` in their addresses: nothing else can be asked for. */
export type GuideFiles = ReadonlyMap<string, BuiltFile>

/** The site if it was built (`npm run docs`), and else its plain pages (`npm run build`). */
export function builtGuideFolder(): string {
  const site = join(packageRoot(), 'dist/guide')
  return existsSync(site) ? site : join(packageRoot(), 'dist/pages')
}

/** The names are those of the start, the contents are read for their first reader: most are never asked for. None without the folder. */
export function findGuideFiles(folder: string): GuideFiles {
  const paths = filesBelow(folder)
  return new Map(
    paths.map((path) => [addressOf(relative(folder, path)), builtFile(nameOf(path), () => readFile(path))]),
  )
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== '404.html')
      .map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Pages have addresses without an ending, and the first one has none. */
function addressOf(path: string): string {
  const address = path.replaceAll(sep, '/').replace(/\.html$/, '')
  return address === 'index' ? '' : address
}

/** What is to be copied is shown as text, whatever it is. */
function nameOf(path: string): string {
  return path.includes(`${sep}files${sep}`) ? `${path}.txt` : path
}
