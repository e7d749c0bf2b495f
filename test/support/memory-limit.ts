import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the kernel counts memory: its second interface, or its first. */
const folders = [
  { folder: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { folder: '/sys/fs/cgroup', limit: 'memory.max' },
]

const found = folders.find(({ folder, limit }) => canMake(folder, limit))

export const canLimitMemory = found !== undefined

function canMake(folder: string, limit: string): boolean {
  const group = join(folder, `muster-test-${process.pid}`)
  try {
    mkdirSync(group)
    try {
      return existsSync(join(group, limit))
    } finally {
      rmdirSync(group)
    }
  } catch {
    return false
  }
}

/** A group of processes with so many bytes of memory: the words before a command that runs it in there. */
export function memoryLimit(bytes: number): { readonly enter: readonly [string, ...string[]]; remove(): void } {
  if (!found) throw new Error('The kernel limits no memory here.')
  const group = join(found.folder, `muster-test-${process.pid}`)
  mkdirSync(group)
  writeFileSync(join(group, found.limit), String(bytes))
  return {
    enter: ['sh', '-euc', 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"', 'enter', group],
    remove: () => rmdirSync(group),
  }
}
