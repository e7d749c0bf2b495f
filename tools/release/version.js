import { readFileSync, writeFileSync } from 'node:fs'

/** Every file that contains the version. The root, the command and the packages share one version. */
export const versionFiles = [
  'package.json',
  'cli/package.json',
  'client/package.json',
  'key-check/package.json',
  'react/package.json',
  'package-lock.json',
]

/** Texts with commands and manifests that contain the version, because readers copy them. */
export const textFiles = [
  'README.md',
  'docs/deploying.md',
  'deploy/kubernetes/base/muster.yaml',
  'deploy/kubernetes/overlays/example/kustomization.yaml',
]

export function readVersion() {
  return readJson('package.json').version
}

export function writeVersion(version) {
  // Not within another number, such as an address.
  const named = new RegExp(`(?<![\\d.])${readVersion().replaceAll('.', '\\.')}(?!\\.?\\d)`, 'g')
  for (const file of textFiles) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(named, version))
  }
  for (const file of versionFiles) {
    const manifest = readJson(file)
    // The lock file lists the packages of this repository again, by their folders.
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
