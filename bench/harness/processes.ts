import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The measured process gets one core and the load another, if the system allows it (taskset, two cores). */
export type Core = 'measured' | 'load' | 'any'

const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** Starts this Node with a program; its descendants stay on the same core. The pid is the program's, because taskset replaces itself. */
export function spawnNode(core: Core, args: readonly string[], options: SpawnOptions): ChildProcess {
  return spawnOn(core, process.execPath, args, options)
}

/** The same for any program. */
function spawnOn(core: Core, program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  if (!isPinned || core === 'any') return spawn(program, args, options)
  return spawn('taskset', ['-c', numberOf[core], program, ...args], options)
}

/** The same for a running process, such as this one. */
export function pin(pid: number, core: Exclude<Core, 'any'>): void {
  if (isPinned) spawnSync('taskset', ['-acp', numberOf[core], String(pid)])
}

const numberOf = { measured: '0', load: '1' } as const

/**
 * User and system time in milliseconds of a process and its descendants, including exited ones: fields 14 to 17 of proc(5) stat, in ticks
 * of 10 ms.
 */
export function cpuMsOf(pid: number): number {
  const ticks = (member: number) =>
    statOf(member)
      .slice(11, 15)
      .reduce((sum, field) => sum + Number(field), 0)
  return familyOf(pid).reduce((sum, member) => sum + ticks(member) * 10, 0)
}

/** Resident memory in MiB of a process and its descendants: now, and the sum of their peaks since `forgetPeakOf`. */
export function rssMiBOf(pid: number): { readonly now: number; readonly peak: number } {
  const texts = familyOf(pid).map((member) => read(`/proc/${member}/status`))
  const sum = (name: string) => {
    const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm')
    return Math.round(texts.reduce((kiB, text) => kiB + Number(line.exec(text)?.[1] ?? 0), 0) / 1_024)
  }
  return { now: sum('VmRSS'), peak: sum('VmHWM') }
}

export function forgetPeakOf(pid: number): void {
  for (const member of familyOf(pid)) writeFileSync(`/proc/${member}/clear_refs`, '5')
}

function familyOf(pid: number): readonly number[] {
  const family = [pid]
  // The list grows during the loop, by children of children.
  for (const member of family) family.push(...childrenOf(member))
  return family
}

/** The processes started by each of its threads. */
function childrenOf(pid: number): readonly number[] {
  return threadsOf(pid)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' '))
    .filter((text) => text !== '')
    .map(Number)
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return [] // as below
  }
}

/** The fields from the third on, because the second, the name, may contain spaces. */
function statOf(pid: number): readonly string[] {
  return read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // exited after it was listed
  }
}
