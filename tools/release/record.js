import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { contractChanges, contractShape } from './contract-changes.js'

const releases = 'test/releases'
const contractOf = (version) => `${releases}/${version}.contract.br`
/** Intended changes of the contract in the next release: a sentence of contract-changes.js per line. */
const intended = `${releases}/intended-changes.txt`

/** Stores what later versions must be compatible with: the statements and the contract of the release. Returns the files. */
export function recordRelease(version) {
  mkdirSync(releases, { recursive: true })
  const program = ['--import', './scripts/statement-registry.mjs', 'scripts/statements.ts']
  writeFileSync(`${releases}/${version}.json`, execFileSync(process.execPath, program, { maxBuffer: 2 ** 26 }))
  const shape = contractShape(JSON.parse(readFileSync('openapi.json', 'utf8')))
  writeFileSync(contractOf(version), brotliCompressSync(JSON.stringify(shape)))
  writeFileSync(intended, '')
  return [`${releases}/${version}.json`, contractOf(version), intended]
}

/** What clients of the newest release would notice, except for intended changes; and whether anything is intended. */
export function changesSinceRelease() {
  const version = newestRecorded()
  if (version === undefined) return { version, changes: [], areSomeIntended: false }
  const older = JSON.parse(brotliDecompressSync(readFileSync(contractOf(version))).toString())
  const accepted = existsSync(intended) ? readFileSync(intended, 'utf8').split('\n').filter(Boolean) : []
  const changes = contractChanges(older, JSON.parse(readFileSync('openapi.json', 'utf8')))
  return {
    version,
    changes: changes.filter((change) => !accepted.includes(change)),
    areSomeIntended: accepted.length > 0,
  }
}

function newestRecorded() {
  if (!existsSync(releases)) return undefined
  const versions = readdirSync(releases).flatMap((name) => /^(.+)\.contract\.br$/.exec(name)?.[1] ?? [])
  const newestFirst = (one, other) => other.localeCompare(one, 'en', { numeric: true })
  return versions.sort(newestFirst)[0]
}

// node tools/release/record.js <version>
if (process.argv[1] === fileURLToPath(import.meta.url)) recordRelease(process.argv[2])
