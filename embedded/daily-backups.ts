import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { layoutOf } from './directory.ts'
import { errorCode } from './error.ts'

export interface DailyBackupOptions {
  readonly dataDir: string
  /** UTC hour. */
  readonly hour: number
  /** Older files are deleted. */
  readonly kept: number
  /** Writes the complete file or nothing. A killed process may leave `<path>.unfinished`. */
  readonly write: (path: string, signal: AbortSignal | undefined) => Promise<unknown>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Pick<Logger, 'info' | 'error'>
}

/** The embedded database's daily backups, in the folder `backups` of the data directory. */
export interface DailyBackups {
  /** Makes a backup if one is due, and deletes the oldest ones. Waits an hour after a failure. */
  makeIfDue(signal?: AbortSignal): Promise<void>
  state(): Promise<DailyBackupState>
}

export interface DailyBackupState {
  readonly lastAt: Date | undefined
  readonly nextAt: Date
  /** Since the last backup. `code` is a system or PostgreSQL error code. */
  readonly failure: { readonly at: Date; readonly code: string } | undefined
}

const dayMs = 86_400_000
const retryMs = 3_600_000

export function openDailyBackups({ dataDir, hour, kept, write, now, log }: DailyBackupOptions): DailyBackups {
  const folder = layoutOf(dataDir).backups
  let failure: DailyBackupState['failure']

  const dueAt = () => {
    const today = Math.floor(now() / dayMs) * dayMs + hour * 3_600_000
    return today <= now() ? today : today - dayMs
  }
  async function isDue(): Promise<boolean> {
    if (failure && now() - failure.at.getTime() < retryMs) return false
    return ((await lastDailyBackup(dataDir))?.at.getTime() ?? Number.NEGATIVE_INFINITY) < dueAt()
  }
  async function make(signal: AbortSignal | undefined): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) if (name.endsWith('.unfinished')) await rm(join(folder, name))
    const path = join(folder, nameOf(new Date(now())))
    await write(path, signal)
    const made = await dailyBackups(dataDir)
    for (const { path: old } of made.slice(0, Math.max(0, made.length - kept))) await rm(old)
    log.info({ path }, 'daily backup created')
  }

  return {
    async makeIfDue(signal) {
      if (!(await isDue())) return
      try {
        await make(signal)
        failure = undefined
      } catch (error) {
        if (signal?.aborted) return
        failure = { at: new Date(now()), code: codeOf(error) }
        log.error({ err: error }, 'daily backup failed: retrying in an hour')
      }
    },
    async state() {
      return { lastAt: (await lastDailyBackup(dataDir))?.at, nextAt: new Date(dueAt() + dayMs), failure }
    },
  }
}

/** Checks every minute. `stop` aborts a backup in progress. */
export function scheduleDailyBackups(backups: DailyBackups): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(() => (stopping.signal.aborted ? undefined : backups.makeIfDue(stopping.signal)))
  }, 60_000).unref()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

interface DailyBackup {
  readonly path: string
  readonly at: Date
  readonly bytes: number
}

/** The newest backup; undefined if there is none. */
export async function lastDailyBackup(dataDir: string): Promise<DailyBackup | undefined> {
  return (await dailyBackups(dataDir)).at(-1)
}

/** Oldest first. */
async function dailyBackups(dataDir: string): Promise<readonly DailyBackup[]> {
  const folder = layoutOf(dataDir).backups
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  const found = await Promise.all(
    names
      .filter((name) => timeOf(name) !== undefined)
      .sort()
      .map(async (name) => {
        const path = join(folder, name)
        return { path, at: timeOf(name) ?? new Date(0), bytes: (await stat(path)).size }
      }),
  )
  return found
}

/** Sorted by name, they are sorted by time. No colon, which some file systems reject. */
function nameOf(at: Date): string {
  return `muster-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`
}

function timeOf(name: string): Date | undefined {
  const [, day, hours, minutes, seconds] = /^muster-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/.exec(name) ?? []
  return day === undefined ? undefined : new Date(`${day}T${hours}:${minutes}:${seconds}Z`)
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? (errorCode(error.cause) ?? error.name) : 'unknown')
}
