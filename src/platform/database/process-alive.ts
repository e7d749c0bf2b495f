import { readFileSync } from 'node:fs'
import { errorCode } from '../error-code.ts'

/** True while a process of this id runs, of any user; false for a zombie, whose parent has not reaped it yet. */
export function isAlive(pid: number): boolean {
  return isPidInUse(pid) && stateOf(pid) !== 'Z'
}

/** True for a running process and for a zombie. */
export function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** The letter after the name in /proc; undefined where the system has no such files. */
function stateOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0]
  } catch {
    return undefined
  }
}
