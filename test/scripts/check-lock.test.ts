import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

interface Entry {
  version?: string
  integrity?: string
  resolved?: string
}

const root = resolve(import.meta.dirname, '../..')
const platform = 'node_modules/@node-rs/argon2-darwin-arm64'

/** What the check says of the lock file after a change to it. */
function checkAfter(change: (packages: Record<string, Entry>) => void): { status: number | null; faults: string[] } {
  const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  change(lock.packages)
  const folder = mkdtempSync(join(tmpdir(), 'muster-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'package-lock.json')
  writeFileSync(path, JSON.stringify(lock))
  const program = join(root, 'scripts/check-lock.js')
  const { status, stderr } = spawnSync(process.execPath, [program, path], { encoding: 'utf8' })
  return {
    status,
    faults: stderr
      .split('\n')
      .filter((line) => line.startsWith(path))
      .map((line) => line.slice(path.length + 2)),
  }
}

test('every package of the lock file has a hash, none has an address, and no platform is missing', () => {
  expect(checkAfter(() => undefined)).toEqual({ status: 0, faults: [] })
})

test.each<[string, (packages: Record<string, Entry>) => void, string]>([
  ['a hash that was removed', (all) => delete all[platform]?.integrity, `${platform} has no sha512 as its integrity.`],
  [
    'a weaker hash',
    (all) => Object.assign(all[platform] ?? {}, { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }),
    `${platform} has no sha512 as its integrity.`,
  ],
  [
    'an address',
    (all) => Object.assign(all[platform] ?? {}, { resolved: 'https://registry.example/argon2.tgz' }),
    `${platform} names an address (resolved).`,
  ],
  ['a version that was removed', (all) => delete all[platform]?.version, `${platform} has no version.`],
  [
    'a platform that is missing',
    (all) => delete all[platform],
    'node_modules/@node-rs/argon2 lacks @node-rs/argon2-darwin-arm64.',
  ],
])('the check of the lock file finds %s', (_, change, fault) => {
  expect(checkAfter(change)).toEqual({ status: 1, faults: [fault] })
})

test('each direct dependency of production has one exact version', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const [name, version] of Object.entries(dependencies))
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/)
})
