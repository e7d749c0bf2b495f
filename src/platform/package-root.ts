import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The directory of the package, from the sources and from `dist/`. It contains migrations and documents. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

export function packageVersion(): string {
  return String(manifest().version)
}

/** The version, and the commit where the package was made of one (scripts/package.js): "0.1.0 (4f2c…)". */
export function versionAndCommit(): string {
  const { version, gitHead } = manifest()
  return typeof gitHead === 'string' ? `${String(version)} (${gitHead})` : String(version)
}

function manifest(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))
}
