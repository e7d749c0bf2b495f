import { open } from 'node:fs/promises'
import { setInterval } from 'node:timers/promises'
import Type from 'typebox'
import Value from 'typebox/value'
import { errorCode } from './error-code.ts'
import type { LimitLog } from './limit-log.ts'

export const descriptorsLimit = 'file descriptors'

const checkEveryMs = 1_000

/**
 * Checks every second whether the process can open another file descriptor, and reports to `limitLog` if not. At the limit, the
 * system refuses client connections without an error that the process could see. Does nothing if the limit is unknown.
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
    // EMFILE: limit of the process. ENFILE: limit of the system.
    return code !== 'EMFILE' && code !== 'ENFILE'
  }
}

/** Maximum number of open descriptors: the soft limit, which Node raises to the hard limit. Undefined if there is no limit. */
export function descriptorsMax(): number | undefined {
  cached ??= { max: readMax() }
  return cached.max
}

/** Node sets the limit once at start, and creating a report takes tens of milliseconds. */
let cached: { readonly max: number | undefined } | undefined

function readMax(): number | undefined {
  // Without `excludeNetwork` the report resolves the names of all connected addresses. The types of Node 22 lack the option.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport()
  return Value.Check(Report, report) ? report.userLimits.open_files.soft : undefined
}

const Report = Type.Object({ userLimits: Type.Object({ open_files: Type.Object({ soft: Type.Integer() }) }) })
