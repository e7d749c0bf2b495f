import { rename, rm, writeFile } from 'node:fs/promises'
import type { KeyChecks } from '../../key-check/index.ts'
import { Fault, undeterminedExitCode } from '../fault.ts'
import { print } from '../print.ts'
import { reportError } from '../report-error.ts'
import { checkRows, type RowResult } from './check-rows.ts'
import type { KeyRow } from './key-rows.ts'
import { metricsOf } from './watch-metrics.ts'
import { readWatchedKeys } from './watched-keys.ts'
import { withKeyChecks } from './with-key-checks.ts'

export interface WatchOptions {
  readonly config: string
  readonly days: number
  readonly textfile?: string
  /** Seconds. */
  readonly wait: number
}

/** Runs `muster keys watch`: 0 where every key works and lasts, 1 where one does not, 2 where one is undetermined. */
export async function watchKeys(options: WatchOptions): Promise<void> {
  try {
    const rows = await readWatchedKeys(options.config, process.env)
    process.exitCode = await withKeyChecks((keyChecks) =>
      checkWatched(rows, { ...options, keyChecks, nowMs: Date.now() }),
    )
  } catch (error) {
    reportError(error)
    process.exitCode = undeterminedExitCode
  }
}

interface Watch extends Omit<WatchOptions, 'config'> {
  readonly keyChecks: KeyChecks
  readonly nowMs: number
}

export async function checkWatched(rows: readonly KeyRow[], watch: Watch): Promise<number> {
  const results: RowResult[] = []
  const { keyChecks, wait, textfile, days, nowMs } = watch
  const onResult = (result: RowResult) => void results.push(result)
  const { signal } = new AbortController()
  // One at a time: a watch is in no hurry, and must not take a provider's rate from the service.
  await checkRows(rows, { keyChecks, atOnce: 1, waitMs: wait * 1_000, signal, onResult })
  if (textfile !== undefined) await replace(textfile, metricsOf(results, nowMs))
  const untilMs = nowMs + days * 86_400_000
  const isEnding = ({ expiresOn }: RowResult) => expiresOn !== undefined && Date.parse(expiresOn) <= untilMs
  for (const result of results) if (result.outcome !== 'valid' || isEnding(result)) print(lineOf(result))
  if (results.some(({ outcome }) => outcome === 'undetermined')) return undeterminedExitCode
  return results.every((result) => result.outcome === 'valid' && !isEnding(result)) ? 0 : 1
}

function lineOf({ label, provider, outcome, message, expiresOn }: RowResult): string {
  if (outcome === 'valid') return `${label} (${provider}): expires on ${expiresOn}`
  return `${label} (${provider}): ${outcome}: ${message}`
}

/** A collector that reads meanwhile sees the old file or the new one. It runs as another user, so the file can be read by all. */
async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.unfinished`
  try {
    await rm(draft, { force: true })
    await writeFile(draft, text, { mode: 0o644, flag: 'wx' })
    await rename(draft, path)
  } catch {
    throw new Fault(`${path} cannot be written.`)
  }
}
