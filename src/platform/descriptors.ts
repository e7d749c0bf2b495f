import { closeSync, openSync } from 'node:fs'
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
export function watchDescriptors(limitLog: LimitLog): { stop(): void } {
  const max = descriptorsMax()
  if (max === undefined) return { stop: () => undefined }
  const timer = setInterval(() => {
    if (!canOpen()) limitLog.reached(descriptorsLimit, max)
  }, checkEveryMs).unref()
  return { stop: () => clearInterval(timer) }
}

function canOpen(): boolean {
  try {
    // Synchronous: it takes some microseconds, and a thread of the pool would keep an idle process busy for longer.
    closeSync(openSync('/', 'r'))
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
