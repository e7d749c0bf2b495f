import { createReadStream } from 'node:fs'
import type { KeyChecks } from '../../key-check/index.ts'
import type { CheckOptions } from '../check-key.ts'
import { Fault, Interrupted, undeterminedExitCode } from '../fault.ts'
import { note } from '../print.ts'
import { startProgress } from '../progress.ts'
import { reportError } from '../report-error.ts'
import { printRows } from '../table.ts'
import { checkRows, type RowResult } from './check-rows.ts'
import { type Remaining, type ResumeOptions, remainingRows } from './earlier-report.ts'
import { estimateOf } from './estimate.ts'
import { readKeyRows } from './key-rows.ts'
import { openReport, type Report } from './report.ts'
import { withKeyChecks } from './with-key-checks.ts'

export interface CheckFileOptions extends CheckOptions, ResumeOptions {
  readonly file: string
  readonly report?: string
  readonly atOnce: number
  /** Seconds. */
  readonly wait: number
  readonly stopAfterInvalid?: number
  readonly yes?: true
}

/**
 * Runs `muster keys check --file`. The exit code is 0 where every key is valid, 1 where every key has a verdict and one is invalid,
 * and 2 where a key is undetermined or the check could not start; 130 and 143 where a signal ended it.
 */
export async function checkFile(options: CheckFileOptions): Promise<void> {
  try {
    process.exitCode = await check(options)
  } catch (error) {
    const exitCode = reportError(error)
    process.exitCode = error instanceof Interrupted ? exitCode : undeterminedExitCode
  }
}

async function check(options: CheckFileOptions): Promise<number> {
  return withKeyChecks(async (keyChecks, { providers }) => {
    const provider = options.provider ?? providers.defaultId
    const rows = readKeyRows(await readInput(options.file), keyChecks.providers(), { ...options, provider })
    const remaining = await remainingRows(rows, options)
    const report = await openReportOf(options)
    return await checkAndReport(remaining, { keyChecks, report, options })
  })
}

/** Without --report, a resumed report is completed in its place. */
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
  const interrupt = abortOnInterrupt()
  const results: RowResult[] = [...carried]
  note(estimateOf(rows, carried.length, keyChecks))
  const progress = startProgress('Checking', rows.length, 'keys')
  const onResult = (result: RowResult) => {
    results.push(result)
    progress.advance(1)
  }
  const { atOnce, stopAfterInvalid, wait } = options
  const { signal } = interrupt
  const common = { keyChecks, atOnce, waitMs: wait * 1_000, stopAfterInvalid, signal }
  try {
    await checkRows(rows, { ...common, onResult, onWait: progress.say })
    const isLeft = ({ code }: RowResult) => code === 'not_checked'
    progress.done(sentenceOf(results.length - carried.length - results.filter(isLeft).length, rows.length))
  } catch (error) {
    progress.failed()
    await report?.discard()
    throw error
  } finally {
    interrupt.forget()
  }
  await report?.write(results)
  await printSummary(results, options)
  return interrupt.exitCode() ?? exitCodeOf(results)
}

/** The first signal ends the checks under way, and the report is still written; a second one ends the process. */
function abortOnInterrupt() {
  const control = new AbortController()
  let exitCode: number | undefined
  const end = (code: number) => () => {
    exitCode = code
    control.abort()
  }
  const onInterrupt = end(130)
  const onTerminate = end(143)
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onTerminate)
  return {
    signal: control.signal,
    exitCode: () => exitCode,
    forget() {
      process.off('SIGINT', onInterrupt)
      process.off('SIGTERM', onTerminate)
    },
  }
}

/** Enough for some hundred thousand keys. The file is read whole, so that a malformed file costs no call. */
const inputBytesMax = 32 * 2 ** 20

async function readInput(path: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  const input = path === '-' ? process.stdin : createReadStream(path)
  try {
    for await (const piece of input) {
      const buffer = Buffer.from(piece)
      bytes += buffer.length
      if (bytes > inputBytesMax) throw new Fault('The file holds more than 32 MiB: divide it.')
      pieces.push(buffer)
    }
  } catch (error) {
    throw error instanceof Fault ? error : new Fault(`There is no file ${path} that can be read.`)
  }
  return Buffer.concat(pieces)
}

function sentenceOf(done: number, total: number): string {
  return done === total ? `Checked ${done} keys.` : `Ended after ${done} of ${total} keys.`
}

const malformedShownMax = 20

async function printSummary(results: readonly RowResult[], options: CheckFileOptions): Promise<void> {
  const { json, resume, report = resume } = options
  const malformed = results
    .filter(({ code }) => code === 'input_invalid' || code === 'provider_unsupported')
    .sort((one, other) => one.line - other.line)
  for (const { line, message } of malformed.slice(0, malformedShownMax)) note(`Line ${line}: ${message}`)
  if (malformed.length > malformedShownMax) note(`… and ${malformed.length - malformedShownMax} more lines.`)
  if (report !== undefined) note(`Every line with its outcome: ${report}`)
  const texts = summaryOf(results).map((row) => JSON.stringify(row))
  await printRows<Summary>(batchOf(texts), summaryColumns, json === true)
}

async function* batchOf(texts: readonly string[]): AsyncGenerator<readonly string[]> {
  if (texts.length > 0) yield texts
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
