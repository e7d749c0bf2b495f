import { isProblem, ProblemError } from '@muster/client'
import { ChangedMeanwhile, changeOnly, changeRole, disable, enable, endSessions, readPerson } from '../person-calls.ts'
import type { ListedUser } from '../read-people.ts'

export type Action =
  | { readonly kind: 'disable' | 'enable' | 'endSessions' }
  | { readonly kind: 'role'; readonly role: string }

/** An action on one of the people, who are as they were seen. */
export interface Job {
  readonly user: ListedUser
  readonly action: Action
}

export type Result =
  | { readonly job: Job; readonly kind: 'done' | 'already' | 'notTried' }
  | { readonly job: Job; readonly kind: 'failed'; readonly error: unknown }

interface Watch {
  readonly signal: AbortSignal
  readonly onResult: (result: Result) => void
}

/**
 * Runs the jobs one after the other, so that a cancel leaves few in doubt: what the others would meet too, such as a service that does
 * not answer, ends the run. What was not tried is listed apart from what failed.
 */
export async function runBulk(jobs: readonly Job[], { signal, onResult }: Watch): Promise<void> {
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

async function runOne({ user, action }: Job): Promise<'done' | 'already'> {
  if (action.kind === 'endSessions') {
    await endSessions(user)
    return 'done'
  }
  const seen = await readPerson(user.id)
  if (isSo(seen.user, action)) return 'already'
  if (seen.user.status !== user.status || seen.user.role !== user.role)
    throw new ChangedMeanwhile({ ...seen.user, status: user.status, role: user.role }, seen.user)
  if (action.kind === 'role') await changeRole(seen, action.role, changeOnly)
  else await (action.kind === 'disable' ? disable : enable)(seen, changeOnly)
  return 'done'
}

function isSo({ status, role }: Pick<ListedUser, 'status' | 'role'>, action: Action): boolean {
  if (action.kind === 'role') return role === action.role
  return action.kind === 'enable' ? status === 'active' : status !== 'active'
}

function meansAll(error: unknown): boolean {
  if (error instanceof ChangedMeanwhile) return false
  if (!(error instanceof ProblemError)) return true
  return isProblem(error, 'step_up_required', 'permission_missing', 'rate_limited') || error.problem.status >= 500
}

/** The same people as they are now, and what they were before. Nothing brings sessions back. */
export function undoOf(results: readonly Result[]): readonly Job[] {
  return results.flatMap(({ job: { user, action }, kind }): readonly Job[] => {
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
