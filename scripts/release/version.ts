import { readFileSync, writeFileSync } from 'node:fs'

/** Every file that names the version. The root and the command are versioned together. */
export const versionFiles = ['package.json', 'cli/package.json', 'package-lock.json']

interface Manifest {
  version?: string
  packages?: Record<string, Manifest>
}

export function readVersion(): string {
  const { version } = readJson('package.json')
  if (version === undefined) throw new Error('package.json names no version.')
  return version
}

export function writeVersion(version: string): void {
  for (const file of versionFiles) {
    const manifest = readJson(file)
    manifest.version = version
    for (const name of ['', 'cli']) {
      const own = manifest.packages?.[name]
      if (own) own.version = version
    }
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  }
}

function readJson(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8'))
}
