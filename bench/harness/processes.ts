import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Whether processes can be held to a core: `taskset` is there, and there are cores to choose from. */
export const canPin = cpus().length > 1 && spawnSync('taskset', ['--version']).status === 0

/** Holds a process and all its threads to one core; whatever they start is held to it as well. */
export function pin(pid: number, core: number): void {
  if (canPin) spawnSync('taskset', ['-acp', String(core), String(pid)])
}

/** Starts something that gives no process id away, held to one core: children have the cores of their parent. */
export async function startPinned<T>(core: number, start: () => Promise<T>): Promise<T> {
  pin(process.pid, core)
  try {
    return await start()
  } finally {
    if (canPin) spawnSync('taskset', ['-acp', `0-${cpus().length - 1}`, String(process.pid)])
  }
}

/** User and system time of a process and of all that it started, whether it still runs or not: proc(5) stat, fields 14 to 17. */
export function cpuMsOf(pid: number): number {
  return familyOf(pid).reduce((sum, { ticks }) => sum + ticks * 10, 0)
}

/** Resident memory of a process and of all that it started, at its highest. */
export function peakMiBOf(pid: number): number {
  return familyOf(pid).reduce((sum, member) => sum + peakMiB(member.pid), 0)
}

/** The process that started this one. */
export function parentOf(pid: number): number {
  return memberOf(pid)?.parent ?? 0
}

interface Member {
  readonly pid: number
  readonly parent: number
  readonly ticks: number
}

function familyOf(pid: number): readonly Member[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => memberOf(Number(name)) ?? [])
  const family = all.filter((member) => member.pid === pid)
  // Grows while it is walked: children of children follow.
  for (const { pid: parent } of family) family.push(...all.filter((member) => member.parent === parent))
  return family
}

function memberOf(pid: number): Member | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, parent: Number(fields[1]), ticks }
  } catch {
    return undefined // ended between the listing and the reading
  }
}

function peakMiB(pid: number): number {
  try {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Math.round(Number(line?.[1] ?? 0) / 1_024)
  } catch {
    return 0 // as above
  }
}
