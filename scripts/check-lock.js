/**
 * Checks package-lock.json for what `npm ci` does not check: every package has a hash, none an address, and optional
 * packages exist for every platform. npm repairs none of these. Lists deprecated packages without failing.
 * node scripts/check-lock.js <path> …
 */
import { readFileSync } from 'node:fs'

/** 64 bytes as base64. */
const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/

let isFaulty = false
for (const file of process.argv.slice(2)) {
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  for (const [path, { deprecated }] of Object.entries(lock.packages))
    if (deprecated) process.stdout.write(`${file}: ${path} is deprecated: ${deprecated}\n`)
  for (const fault of lockFaults(lock)) {
    isFaulty = true
    process.stderr.write(`${file}: ${fault}\n`)
  }
}
if (isFaulty) {
  process.stderr.write('docs/decisions/dependencies.md says how the file is made.\n')
  process.exitCode = 1
}

/** The faults of a lock file, one sentence each. */
function lockFaults({ packages }) {
  const installed = Object.entries(packages).filter(([path, entry]) => path.includes('node_modules/') && !entry.link)
  return [
    ...installed.flatMap(([path, entry]) => entryFaults(path, entry)),
    ...Object.entries(packages).flatMap(([path, entry]) => missingPackages(packages, path, entry)),
  ]
}

function entryFaults(path, { version, integrity, resolved }) {
  return [
    ...(version ? [] : [`${path} has no version.`]),
    ...(sha512.test(integrity) ? [] : [`${path} has no sha512 as its integrity.`]),
    // An address would replace the configured registry.
    ...(resolved === undefined ? [] : [`${path} names an address (resolved).`]),
  ]
}

/** Packages for other platforms are optional, and npm omits them silently. */
function missingPackages(packages, path, { dependencies, optionalDependencies }) {
  const wanted = Object.keys({ ...dependencies, ...optionalDependencies })
  return wanted.filter((name) => !isThere(packages, path, name)).map((name) => `${path || 'the root'} lacks ${name}.`)
}

/** As Node resolves it: in the package's own folder, then in those above. */
function isThere(packages, path, name) {
  const at = `${path === '' ? '' : `${path}/`}node_modules/${name}`
  if (packages[at]) return true
  if (path === '') return false
  const above = path.lastIndexOf('/node_modules/')
  return isThere(packages, above === -1 ? '' : path.slice(0, above), name)
}
