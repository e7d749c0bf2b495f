import { open, readFile } from 'node:fs/promises'
import { setInterval } from 'node:timers/promises'
import { errorCode } from './error-code.ts'
import type { LimitLog } from './limit-log.ts'

export const descriptorsLimit = 'file descriptors'

const checkEveryMs = 1_000

/**
 * Looks every second whether the process can open one more file descriptor. At its limit the system refuses connections of clients, and
 * no error of that reaches a program. Does nothing where the system does not name the limit.
 */
export async function watchDescriptors(limitLog: LimitLog): Promise<{ stop(): Promise<void> }> {
  const max = await descriptorsMax()
  const stopping = new AbortController()
  const watching = max === undefined ? undefined : watch(limitLog, max, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

async function watch(limitLog: LimitLog, max: number, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of setInterval(checkEveryMs, undefined, { signal, ref: false }))
      if (!(await canOpen())) limitLog.reached(descriptorsLimit, max)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function canOpen(): Promise<boolean> {
  try {
    await (await open('/')).close()
    return true
  } catch (error) {
    const code = errorCode(error)
    // EMFILE: the limit of the process; ENFILE: that of the system. Anything else says nothing about a limit.
    return code !== 'EMFILE' && code !== 'ENFILE'
  }
}

/** The soft limit, as Linux names it. */
async function descriptorsMax(): Promise<number | undefined> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const max = /^Max open files +(\d+)/m.exec(text)?.[1]
  return max === undefined ? undefined : Number(max)
}
