// Builds when a source is newer than the last build, or nothing was built yet. Costs a few milliseconds otherwise, where the
// compiler would take seconds to find that nothing changed.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = ['src', 'cli', 'simulators', 'bench']
const settings = ['tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json']
const tools = ['scripts/bundle.js']
/** What the build writes last. */
const result = 'dist/bundle/main.cjs'

if (newest([...sources.flatMap(filesOf), ...settings, ...tools]) > changedAt(result)) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
}

function filesOf(folder) {
  return readdirSync(`${root}${folder}`, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
}

function newest(files) {
  return Math.max(...files.map(changedAt))
}

function changedAt(file) {
  return statSync(`${root}${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
