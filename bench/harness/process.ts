import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** What is measured gets a core of its own, and what drives it another, where the system allows it (taskset, two cores). */
export type Core = 'measured' | 'load'

export const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** Starts this Node with a program. The pid is the program's own: taskset becomes it. */
export function spawnNode(core: Core | 'any', args: readonly string[], options: SpawnOptions): ChildProcess {
  if (!isPinned || core === 'any') return spawn(process.execPath, args, options)
  return spawn('taskset', ['-c', core === 'measured' ? '0' : '1', process.execPath, ...args], options)
}

/** User and system time in milliseconds that a process has spent: fields 14 and 15 of proc(5) stat, in ticks of a hundredth of a second. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The same with the workers, where there are any. */
export function cpuMsWithWorkersOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  const pids = children === '' ? [pid] : [pid, ...children.split(' ').map(Number)]
  return pids.reduce((sum, id) => sum + cpuMsOf(id), 0)
}

/** Resident set in MiB: now, and the highest since `forgetPeakOf`. */
export function rssMiBOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024)
  return { now: read('VmRSS'), peak: read('VmHWM') }
}

export function forgetPeakOf(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
