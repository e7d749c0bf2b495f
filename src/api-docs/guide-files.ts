import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type BuiltFile, builtFile } from '../platform/http/static-document.ts'
import { packageRoot } from '../platform/package-root.ts'

/** The files of the documentation by their path below `/docs/guide/`. Only these can be requested. */
export type GuideFiles = ReadonlyMap<string, BuiltFile>

/** The site if it was built (`npm run docs`), otherwise the plain pages (`npm run build`). */
export function builtGuideFolder(): string {
  const site = join(packageRoot(), 'dist/guide')
  return existsSync(site) ? site : join(packageRoot(), 'dist/pages')
}

/**
 * Lists the files at the start and reads each when it is first requested, because most never are. Undefined without the
 * folder.
 */
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

/** URLs of pages have no extension, and the start page has an empty name. */
function addressOf(path: string): string {
  const address = path.replaceAll(sep, '/').replace(/\.html$/, '')
  return address === 'index' ? '' : address
}

/** Files to copy are shown as plain text. */
function nameOf(path: string): string {
  return path.includes(`${sep}files${sep}`) ? `${path}.txt` : path
}
