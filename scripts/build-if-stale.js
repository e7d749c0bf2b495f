import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = ['src', 'cli', 'simulators', 'bench', 'client/src', 'react/src', 'console/src']
const settings = [
  'tsconfig.json',
  'tsconfig.build.json',
  'client/tsconfig.json',
  'react/tsconfig.json',
  'console/vite.config.js',
  'console/index.html',
  'package.json',
  'package-lock.json',
]
const tools = ['scripts/bundle.js', 'scripts/folder-lists.js', 'scripts/licences.js', 'scripts/reference.js']
/** The last file that a build writes. */
const result = 'dist/bundle/main.cjs'

/**
 * Builds when a source is newer than the last build, or when there is no build yet; returns whether the build is current.
 * Comparing times costs a few milliseconds, where the compiler would need seconds to find that nothing changed.
 */
export function buildIfStale() {
  if (newest([...sources.flatMap(filesOf), ...settings, ...tools]) <= changedAt(result)) return true
  return spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' }).status === 0
}

function filesOf(folder) {
  return readdirSync(`${root}${folder}`, { recursive: true })
    .filter((name) => /\.(tsx?|css|svg)$/.test(name))
    .map((name) => `${folder}/${name}`)
}

function newest(files) {
  return Math.max(...files.map(changedAt))
}

/** Before all others where there is no such file: a reproducible build of an image gives every file the time 0. */
function changedAt(file) {
  return statSync(`${root}${file}`, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
}
