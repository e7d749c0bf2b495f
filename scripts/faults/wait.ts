import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { errorCode } from '../../src/platform/error-code.ts'

/** The conditions being waited for, for the report on an aborted section. */
export const waits = new Set<string>()

/** Resolves with the seconds until the condition held. Throws on timeout. */
export async function until(
  what: string,
  secondsMax: number,
  holds: () => boolean | Promise<boolean>,
): Promise<number> {
  return untilSeen(what, secondsMax, true, holds)
}

/** The same for a value. */
export async function untilSeen<T>(
  what: string,
  secondsMax: number,
  expected: T,
  observe: () => T | Promise<T>,
): Promise<number> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1_000
  waits.add(what)
  try {
    for (let seen = await observe(); seen !== expected; seen = await observe()) {
      if (seconds() > secondsMax) throw new Error(`not within ${secondsMax} s: ${what} (${seen})`)
      await setTimeout(pollMs)
    }
    return seconds()
  } finally {
    waits.delete(what)
  }
}

const pollMs = 25

/** A process and its children. */
export function familyOf(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid)
  return [pid, ...children]
}

/** Undefined if the process has exited. */
function parentOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Open descriptors of a process. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // exited after it was listed
  }
}

/** Ignores a process that has already exited. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
