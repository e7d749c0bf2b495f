import { createReadStream } from 'node:fs'
import type { KeyChecks } from '../../key-check/index.ts'
import { Fault, onSignal, runForVerdict, undeterminedExitCode } from '../errors.ts'
import { note } from '../print.ts'
import { secondsText, startProgress } from '../progress.ts'
import { printRows } from '../table.ts'
import type { CheckOptions } from './check-key.ts'
import { checkRows, type RowResult } from './check-rows.ts'
import { type KeyRow, type MalformedRow, readKeyRows } from './key-rows.ts'
import { openReport, type Remaining, type Report, type ResumeOptions, remainingRows } from './report.ts'
import { withKeyChecks } from './with-key-checks.ts'

export interface CheckFileOptions extends CheckOptions, ResumeOptions {
  readonly file: string
  readonly report?: string
  readonly atOnce: number
  /** Seconds. */
  readonly wait: number
  readonly stopAfterInvalid?: number
  readonly yes?: true
  /** Also sends keys whose failure is known. */
  readonly fresh?: true
}

/**
 * `muster keys check --file`. Exit code 0: all keys are valid. 1: all keys have a verdict and at least one is invalid. 2: a key is
 * undetermined, or the checks could not start. 130 and 143: a signal stopped the checks.
 */
export async function checkFile(options: CheckFileOptions): Promise<void> {
  await runForVerdict(() => check(options))
}

async function check(options: CheckFileOptions): Promise<number> {
  return withKeyChecks(async (keyChecks, { providers }) => {
    const provider = options.provider ?? providers.defaultId
    const rows = readKeyRows(await readInput(options.file), keyChecks, { ...options, provider })
    const remaining = await remainingRows(rows, options)
    const report = await openReportOf(options)
    return await checkAndReport(remaining, { keyChecks, report, options })
  })
}

/** Without --report, --resume updates its report. */
async function openReportOf({ report, resume, yes }: CheckFileOptions): Promise<Report | undefined> {
  const path = report ?? resume
  return path === undefined ? undefined : openReport(path, yes === true || path === resume)
}

interface FileCheck {
  readonly keyChecks: KeyChecks
  readonly report: Report | undefined
  readonly options: CheckFileOptions
}

async function checkAndReport({ rows, carried }: Remaining, fileCheck: FileCheck): Promise<number> {
  const { keyChecks, report, options } = fileCheck
  const control = new AbortController()
  let signalExitCode: number | undefined
  // The first signal stops the checks, and the report is still written. A second signal ends the process.
  const forget = onSignal((exitCode) => {
    signalExitCode = exitCode
    control.abort()
  })
  const results: RowResult[] = [...carried]
  note(estimateOf(rows, carried.length, keyChecks))
  const progress = startProgress('Checking', rows.length, 'keys')
  const onResult = (result: RowResult) => {
    results.push(result)
    progress.advance(1)
  }
  const { atOnce, stopAfterInvalid, wait, fresh } = options
  const common = { keyChecks, atOnce, waitMs: wait * 1_000, stopAfterInvalid, fresh, signal: control.signal }
  try {
    await checkRows(rows, { ...common, onResult, onWait: progress.say })
    const isLeft = ({ code }: RowResult) => code === 'not_checked'
    progress.done(sentenceOf(results.length - carried.length - results.filter(isLeft).length, rows.length))
  } catch (error) {
    progress.failed()
    await report?.discard()
    throw error
  } finally {
    forget()
  }
  await report?.write(results)
  await printSummary(results, options)
  return signalExitCode ?? exitCodeOf(results)
}

/** Enough for several hundred thousand keys. The file is read completely first, so that a malformed file costs no call. */
const inputBytesMax = 32 * 2 ** 20

async function readInput(path: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  const input = path === '-' ? process.stdin : createReadStream(path)
  try {
    for await (const piece of input) {
      const buffer = Buffer.from(piece)
      bytes += buffer.length
      if (bytes > inputBytesMax) throw new Fault('The file is larger than 32 MiB. Split it.')
      pieces.push(buffer)
    }
  } catch (error) {
    throw error instanceof Fault ? error : new Fault(`Cannot read ${path}.`)
  }
  return Buffer.concat(pieces)
}

function sentenceOf(done: number, total: number): string {
  return done === total ? `Checked ${done} keys.` : `Stopped after ${done} of ${total} keys.`
}

const malformedShownMax = 20

async function printSummary(results: readonly RowResult[], options: CheckFileOptions): Promise<void> {
  const { json, resume, report = resume } = options
  const malformed = results
    .filter(({ code }) => code === 'input_invalid' || code === 'provider_unsupported')
    .sort((one, other) => one.line - other.line)
  for (const { line, message } of malformed.slice(0, malformedShownMax)) note(`Line ${line}: ${message}`)
  if (malformed.length > malformedShownMax) note(`… and ${malformed.length - malformedShownMax} more lines.`)
  if (report !== undefined) note(`Wrote the outcome of every line to ${report}.`)
  await printRows(summaryOf(results), summaryColumns, json === true)
}

interface Summary {
  readonly provider: string
  valid: number
  invalid: number
  undetermined: number
}

function summaryOf(results: readonly RowResult[]): Summary[] {
  const byProvider = new Map<string, Summary>()
  for (const { provider, outcome } of results) {
    const summary = byProvider.get(provider) ?? { provider, valid: 0, invalid: 0, undetermined: 0 }
    summary[outcome] += 1
    byProvider.set(provider, summary)
  }
  return [...byProvider.values()].sort((one, other) => one.provider.localeCompare(other.provider))
}

const summaryColumns = [
  { title: 'provider', of: ({ provider }: Summary) => provider || '(none)' },
  { title: 'valid', of: ({ valid }: Summary) => String(valid) },
  { title: 'invalid', of: ({ invalid }: Summary) => String(invalid) },
  { title: 'undetermined', of: ({ undetermined }: Summary) => String(undetermined) },
]

function exitCodeOf(results: readonly RowResult[]): number {
  if (results.some(({ outcome }) => outcome === 'undetermined')) return undeterminedExitCode
  return results.every(({ outcome }) => outcome === 'valid') ? 0 : 1
}

/** Estimates the minimum duration: at least one call per key, with all providers in parallel. */
function estimateOf(
  rows: readonly (KeyRow | MalformedRow)[],
  carried: number,
  keyChecks: Pick<KeyChecks, 'callsPerSecondMax'>,
): string {
  const byProvider = new Map<string, number>()
  for (const row of rows) if (!('reason' in row)) byProvider.set(row.provider, (byProvider.get(row.provider) ?? 0) + 1)
  const seconds = [...byProvider].map(([provider, count]) => {
    const perSecond = keyChecks.callsPerSecondMax(provider)
    return perSecond === 0 ? 0 : Math.ceil(count / perSecond)
  })
  const before = carried === 0 ? '' : `, ${carried} already have a verdict`
  const keys = [...byProvider.values()].reduce((sum, count) => sum + count, 0)
  return `${keys} keys to check${before}. This takes at least ${secondsText(Math.max(0, ...seconds))}, longer if a provider limits the rate.`
}
