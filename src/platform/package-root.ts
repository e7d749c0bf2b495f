import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Directory of package.json, which also contains `migrations/` and `docs/`. Works from `src/` and from `dist/`. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

export function packageVersion(): string {
  return String(manifest().version)
}

/** Version and, if known, commit: "0.1.0 (4f2c…)". */
export function versionAndCommit(): string {
  const commit = packageCommit()
  return commit === undefined ? packageVersion() : `${packageVersion()} (${commit})`
}

/** The commit that scripts/package.js built the package from. Undefined in a checkout. */
export function packageCommit(): string | undefined {
  const { gitHead } = manifest()
  return typeof gitHead === 'string' ? gitHead : undefined
}

function manifest(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))
}
