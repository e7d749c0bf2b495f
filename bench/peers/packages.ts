import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/platform/package-root.ts'

/** Where the peers are installed, outside this repository; later runs reuse them. */
const cacheDir = process.env.MUSTER_BENCH_PEERS_DIR ?? join(tmpdir(), 'muster-bench-peers')

/**
 * A folder with these packages from the npm registry in exactly these versions, and our server programs next to them. Their dependencies
 * are not pinned. Throws npm's message if the installation fails.
 */
export function installed(name: string, packages: Readonly<Record<string, string>>): string {
  const folder = join(cacheDir, name)
  mkdirSync(folder, { recursive: true })
  const manifest = { name: `muster-bench-${name}`, private: true, type: 'module', dependencies: packages }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  const programs = join(packageRoot(), 'bench', 'peers', 'servers')
  for (const program of readdirSync(programs)) copyFileSync(join(programs, program), join(folder, program))
  if (isComplete(folder, packages)) return folder
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status, error, stderr } = spawnSync(npm, ['install', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm could not install it: ${error?.message ?? reasonIn(stderr)}`)
  if (!isComplete(folder, packages)) throw new Error('npm installed another version than requested')
  return folder
}

function isComplete(folder: string, packages: Readonly<Record<string, string>>): boolean {
  return Object.entries(packages).every(([name, version]) => versionOf(join(folder, 'node_modules', name)) === version)
}

function versionOf(folder: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? String(manifest.version)
      : undefined
  } catch {
    return undefined // not installed
  }
}

function reasonIn(text: string): string {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => !line.includes('complete log'))
  return lines.slice(0, 3).join(' ')
}
