import { open } from 'node:fs/promises'
import { setInterval } from 'node:timers/promises'
import Type from 'typebox'
import Value from 'typebox/value'
import { errorCode } from './error-code.ts'
import type { LimitLog } from './limit-log.ts'

export const descriptorsLimit = 'file descriptors'

const checkEveryMs = 1_000

/**
 * Looks every second whether the process can open one more file descriptor. At its limit the system refuses connections of clients, and
 * no error of that reaches a program. Does nothing where the system does not name the limit.
 */
export function watchDescriptors(limitLog: LimitLog): { stop(): Promise<void> } {
  const max = descriptorsMax()
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

/** How many this process may have open: its soft limit, which Node raises to the hard one. Undefined where the system has none. */
export function descriptorsMax(): number | undefined {
  known ??= { max: readMax() }
  return known.max
}

/** Node sets the limit at its start, and a report takes tens of milliseconds. */
let known: { readonly max: number | undefined } | undefined

function readMax(): number | undefined {
  // A report without this looks up the names of all connected addresses. The types of Node 22 do not have it.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport()
  return Value.Check(Report, report) ? report.userLimits.open_files.soft : undefined
}

const Report = Type.Object({ userLimits: Type.Object({ open_files: Type.Object({ soft: Type.Integer() }) }) })
