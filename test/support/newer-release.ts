import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/platform/package-root.ts'

/** Copies the built service into the folder, with one more migration, as the next release has it. Answers the path of its program. */
export function makeNewerRelease(folder: string, migration: string): string {
  const root = packageRoot()
  for (const path of ['package.json', 'dist/bundle', 'migrations', 'lists', 'docs', 'mails', 'pages'])
    cpSync(join(root, path), join(folder, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'migrations/900_newer.sql'), `-- Up Migration\n\n${migration}\n`)
  return join(folder, 'dist/bundle/main.cjs')
}
