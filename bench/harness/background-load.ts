import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** The CPU that other programs used during a measurement. */
export interface BackgroundLoad {
  /** Cores in use, on average. */
  readonly cores: number
  /** So high that the result proves nothing. The output says so, and the measurement must be repeated on an idle machine. */
  readonly isLoaded: boolean
}

/** Above this share of the machine the result counts as loaded. */
const loadedShare = 0.15

/**
 * Starts measuring; the returned function returns the result so far. The load average would not work, because it includes this process and
 * all its descendants, such as the embedded PostgreSQL and the service.
 */
export function watchBackgroundLoad(): () => BackgroundLoad {
  const startedAtMs = performance.now()
  const [all, own] = [ticksOfAll(), ticksOfOwn()]
  return () => {
    const seconds = (performance.now() - startedAtMs) / 1_000
    const ticks = Math.max(0, ticksOfAll() - all - (ticksOfOwn() - own))
    const cores = Math.round((ticks / 100 / seconds) * 10) / 10
    return { cores, isLoaded: cores > loadedShare * cpus().length }
  }
}

export function describeBackgroundLoad({ cores, isLoaded }: BackgroundLoad): string {
  const used = `other programs used ${cores} of ${cpus().length} cores meanwhile`
  return isLoaded ? `THE MACHINE WAS LOADED: ${used}, measure again` : used
}

/** proc(5) stat: hundredths of a second in which the processors were neither idle nor waiting for a disk. */
function ticksOfAll(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)
    .join()
    .split(/\s+/)
    .map(Number)
  return user + nice + system + irq + softIrq + steal
}

/** Includes exited children, which proc(5) adds to their parents. */
function ticksOfOwn(): number {
  const processes = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(processAt),
  )
  let sum = 0
  for (const [pid, { ticks }] of processes) if (descends(pid, processes)) sum += ticks
  return sum
}

interface Process {
  readonly parent: number
  readonly ticks: number
}

function descends(pid: number, processes: ReadonlyMap<number, Process>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = processes.get(at)?.parent)
    if (at === process.pid) return true
  return false
}

/** Empty if the process has exited since it was listed. */
function processAt(pid: string): [number, Process][] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return [[Number(pid), { parent: Number(fields[1]), ticks }]]
  } catch {
    return []
  }
}
