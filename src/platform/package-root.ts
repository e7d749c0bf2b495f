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

/** The version, and the commit where there is one: "0.1.0 (4f2c…)". */
export function versionAndCommit(): string {
  const commit = packageCommit()
  return commit === undefined ? packageVersion() : `${packageVersion()} (${commit})`
}

/** Where the package was made of a commit (scripts/package.js). */
export function packageCommit(): string | undefined {
  const { gitHead } = manifest()
  return typeof gitHead === 'string' ? gitHead : undefined
}

function manifest(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))
}
