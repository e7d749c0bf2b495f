import { readFileSync, writeFileSync } from 'node:fs'

/** Every file that names the version. The root, the command and the packages are versioned together. */
export const versionFiles = [
  'package.json',
  'cli/package.json',
  'client/package.json',
  'key-check/package.json',
  'react/package.json',
  'package-lock.json',
]

export function readVersion() {
  return readJson('package.json').version
}

export function writeVersion(version) {
  for (const file of versionFiles) {
    const manifest = readJson(file)
    // The lock file names the packages of this repository once more, by their folders.
    for (const own of [
      manifest,
      manifest.packages?.[''],
      manifest.packages?.cli,
      manifest.packages?.client,
      manifest.packages?.react,
    ])
      if (own) own.version = version
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
