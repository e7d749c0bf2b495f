import { isProblem, ProblemError } from '@muster/client'
import { useEffect, useRef, useState } from 'react'
import {
  ChangedMeanwhile,
  changeOnly,
  changeUserRole,
  disableUser,
  enableUser,
  endUserSessions,
  type ListedUser,
  readUser,
  readUsersAgain,
} from './calls.ts'

export interface Bulk {
  readonly jobs: readonly BulkJob[]
  readonly results: readonly BulkResult[]
  readonly isRunning: boolean
  start(jobs: readonly BulkJob[]): Promise<readonly BulkResult[]>
  cancel(): void
  /** The report was read. */
  close(): void
}

export function useBulk(): Bulk {
  const [jobs, setJobs] = useState<readonly BulkJob[]>([])
  const [results, setResults] = useState<readonly BulkResult[]>([])
  const [isRunning, setIsRunning] = useState(false)
  const running = useRef<AbortController>(undefined)
  // Who leaves the screen stops it.
  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => {
    if (!isRunning) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isRunning])
  return {
    jobs,
    results,
    isRunning,
    async start(next) {
      const all: BulkResult[] = []
      running.current = new AbortController()
      setJobs(next)
      setResults([])
      setIsRunning(true)
      await runBulk(next, {
        signal: running.current.signal,
        onResult(result) {
          all.push(result)
          setResults([...all])
        },
      })
      setIsRunning(false)
      await readUsersAgain(...next.map(({ user }) => user.id))
      return all
    },
    cancel: () => running.current?.abort(),
    close() {
      setJobs([])
      setResults([])
    },
  }
}

export type BulkAction =
  | { readonly kind: 'disable' | 'enable' | 'endSessions' }
  | { readonly kind: 'role'; readonly role: string }

/** An action on one of the users, who are as they were seen. */
interface BulkJob {
  readonly user: ListedUser
  readonly action: BulkAction
}

export type BulkResult =
  | { readonly job: BulkJob; readonly kind: 'done' | 'already' | 'notTried' }
  | { readonly job: BulkJob; readonly kind: 'failed'; readonly error: unknown }

interface Watch {
  readonly signal: AbortSignal
  readonly onResult: (result: BulkResult) => void
}

/**
 * Runs the jobs one after the other, so that a cancel leaves few in doubt: what the others would meet too, such as a service that does
 * not answer, ends the run. What was not tried is listed apart from what failed.
 */
async function runBulk(jobs: readonly BulkJob[], { signal, onResult }: Watch): Promise<void> {
  let isOver = false
  for (const job of jobs) {
    if (isOver || signal.aborted) {
      onResult({ job, kind: 'notTried' })
      continue
    }
    try {
      onResult({ job, kind: await runOne(job) })
    } catch (error) {
      onResult({ job, kind: 'failed', error })
      isOver = meansAll(error)
    }
  }
}

async function runOne({ user, action }: BulkJob): Promise<'done' | 'already'> {
  if (action.kind === 'endSessions') {
    await endUserSessions(user)
    return 'done'
  }
  const seen = await readUser(user.id)
  if (isSo(seen.user, action)) return 'already'
  if (seen.user.status !== user.status || seen.user.role !== user.role)
    throw new ChangedMeanwhile({ ...seen.user, status: user.status, role: user.role }, seen.user)
  if (action.kind === 'role') await changeUserRole(seen, action.role, changeOnly)
  else await (action.kind === 'disable' ? disableUser : enableUser)(seen, changeOnly)
  return 'done'
}

function isSo({ status, role }: Pick<ListedUser, 'status' | 'role'>, action: BulkAction): boolean {
  if (action.kind === 'role') return role === action.role
  return action.kind === 'enable' ? status === 'active' : status !== 'active'
}

function meansAll(error: unknown): boolean {
  if (error instanceof ChangedMeanwhile) return false
  if (!(error instanceof ProblemError)) return true
  return isProblem(error, 'step_up_required', 'permission_missing', 'rate_limited') || error.problem.status >= 500
}

/** The same users as they are now, and what they were before. Nothing brings sessions back. */
export function undoOf(results: readonly BulkResult[]): readonly BulkJob[] {
  return results.flatMap(({ job: { user, action }, kind }): readonly BulkJob[] => {
    if (kind !== 'done' || action.kind === 'endSessions') return []
    if (action.kind === 'role')
      return [{ user: { ...user, role: action.role }, action: { kind: 'role', role: user.role } }]
    const isDisabled = action.kind === 'disable'
    // One who was to be erased cannot be made so again here.
    if (user.status === 'erasing') return []
    return [
      {
        user: { ...user, status: isDisabled ? 'disabled' : 'active' },
        action: { kind: isDisabled ? 'enable' : 'disable' },
      },
    ]
  })
}
