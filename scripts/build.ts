/**
 * Builds what is missing or older than its sources: generated types and pages, the bundle of the service and the
 * command, the console, and plain documentation pages. Node runs all other sources directly.
 * node scripts/build.ts
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const outputs = [
  {
    file: 'dist/generated',
    sources: ['src', 'cli', 'embedded', 'key-check', 'simulators', 'scripts', 'package-lock.json'],
    command: ['scripts/generate.ts', 'built'],
  },
  {
    file: 'dist/bundle/main.cjs',
    sources: [
      'src',
      'cli',
      'embedded',
      'key-check',
      'scripts/bundle.js',
      'scripts/folder-lists.js',
      'package-lock.json',
    ],
    command: ['scripts/bundle.js'],
  },
  {
    file: 'console/dist/index.html',
    sources: [
      'console/src',
      'console/index.html',
      'console/vite.config.js',
      'client/src',
      'react/src',
      'package-lock.json',
    ],
    command: ['node_modules/vite/bin/vite.js', 'build', 'console'],
  },
  {
    file: 'dist/pages/index.html',
    sources: [
      'docs',
      'deploy',
      'README.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'scripts/plain-pages.ts',
    ],
    command: ['scripts/plain-pages.ts'],
  },
]

// Tests set another value, which would build React for development.
const env = { ...process.env, NODE_ENV: 'production' }

export function build(): void {
  for (const { file, sources, command } of outputs)
    if (Math.max(...sources.flatMap(filesOf).map(changedAt)) > changedAt(file))
      execFileSync(process.execPath, command, { cwd: root, stdio: 'inherit', env })
}

/** Includes the folder itself, whose time changes when a file is removed. */
function filesOf(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return [path, ...readdirSync(join(root, path), { recursive: true }).map((name) => join(path, String(name)))]
}

/** A missing file counts as older than all others: a reproducible image build gives every file the time 0. */
function changedAt(file: string): number {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
