import { Link } from '@tanstack/react-router'
import { useDeferredValue, useRef, useState } from 'react'
import { useTexts } from '../texts.ts'
import { Button, CopyButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { Permitted } from '../ui/permitted.tsx'
import { requestIdOf, useSentence } from '../ui/problem-note.tsx'
import { type Bulk, type BulkAction, type BulkResult, undoOf } from './bulk.ts'
import { asShown, ChangedMeanwhile, type ListedUser } from './calls.ts'
import { RoleChoice } from './role-choice.tsx'
import { bulkTexts } from './texts.ts'

/** What can be done with the users who were chosen, and the report of what was. At the foot of the window: nothing moves for it. */
export function WithSelected({ selection, bulk }: { readonly selection: Selection; readonly bulk: Bulk }) {
  const t = useTexts(bulkTexts)
  // The mark in the row is painted first. Those who are counted here are those with whom it is done.
  const users = [...useDeferredValue(selection.users).values()]
  const run = async (action: BulkAction) => {
    const results = await bulk.start(asShown(users).map((user) => ({ user, action })))
    // Those that are left are the ones to look at, or to try again.
    selection.keep(results.flatMap(({ kind, job }) => (kind === 'failed' || kind === 'notTried' ? [job.user] : [])))
  }
  if (users.length === 0 && bulk.jobs.length === 0) return null
  return (
    <section className="selected" aria-label={t('title')}>
      {bulk.jobs.length > 0 && <BulkReport bulk={bulk} />}
      {users.length > 0 && !bulk.isRunning && (
        <Actions users={users} onRun={(action) => void run(action)} onClear={selection.clear} />
      )}
    </section>
  )
}

/** What was done with users of another list. */
export function ReportAlone({ bulk }: { readonly bulk: Bulk }) {
  const t = useTexts(bulkTexts)
  if (bulk.jobs.length === 0) return null
  return (
    <section className="selected" aria-label={t('title')}>
      <BulkReport bulk={bulk} />
    </section>
  )
}

interface ActionsProps {
  readonly users: readonly ListedUser[]
  readonly onRun: (action: BulkAction) => void
  readonly onClear: () => void
}

function Actions({ users, onRun, onClear }: ActionsProps) {
  const t = useTexts(bulkTexts)
  const [role, setRole] = useState('')
  const names = { users: namesOf(users) }
  return (
    <div className="selected-actions">
      <strong role="status">{t('selected', { count: users.length })}</strong>
      <Permitted resource="users" action="disable">
        <Button look="danger" onClick={() => onRun({ kind: 'disable' })}>
          {t('disable')}
        </Button>
      </Permitted>
      <Permitted resource="users" action="enable">
        <Button onClick={() => onRun({ kind: 'enable' })}>{t('enable')}</Button>
      </Permitted>
      <Permitted resource="users" action="change_role">
        <ConfirmButton
          question={t('roleQuestion', names)}
          action={t('role')}
          refusal={t('endRefused')}
          onConfirm={async () => role !== '' && onRun({ kind: 'role', role })}
        >
          <RoleChoice role={role} onChange={setRole} />
        </ConfirmButton>
      </Permitted>
      <Permitted resource="users" action="end_sessions">
        <ConfirmButton
          look="danger"
          question={t('endQuestion', names)}
          action={t('endSessions')}
          refusal={t('endRefused')}
          onConfirm={async () => onRun({ kind: 'endSessions' })}
        >
          {t('endWhat')}
        </ConfirmButton>
      </Permitted>
      <Button look="text" onClick={onClear}>
        {t('clear')}
      </Button>
    </div>
  )
}

function namesOf(users: readonly ListedUser[]): string {
  const [first, ...others] = users.map(({ email, id }) => email ?? id)
  return others.length === 0 ? (first ?? '') : `${first} + ${others.length}`
}

type Selected = ReadonlyMap<string, ListedUser>

/** The users that were chosen, as they were seen. They stay chosen while the list is scrolled. */
interface Selection {
  readonly users: Selected
  toggle(user: ListedUser, row: number): void
  /** All from the row that was chosen last to this one, by `between`. */
  extend(user: ListedUser, row: number): void
  add(users: readonly ListedUser[]): void
  keep(users: readonly ListedUser[]): void
  clear(): void
}

export type Between = (rows: readonly [number, number]) => readonly ListedUser[]

export function useSelection(between: { readonly current: Between }): Selection {
  const [users, setUsers] = useState<Selected>(new Map())
  const anchor = useRef<number>(undefined)
  const add = (more: readonly ListedUser[]) =>
    setUsers((former) => new Map([...former, ...more.map((user) => [user.id, user] as const)]))
  return {
    users,
    toggle(user, row) {
      anchor.current = row
      setUsers((former) => {
        const next = new Map(former)
        if (!next.delete(user.id)) next.set(user.id, user)
        return next
      })
    },
    extend(user, row) {
      add([...between.current([anchor.current ?? row, row]), user])
      anchor.current = row
    },
    add,
    keep: (some) => setUsers(new Map(some.map((user) => [user.id, user]))),
    clear: () => setUsers(new Map()),
  }
}

/** How far it is, and then what was done and what was not. */
function BulkReport({ bulk }: { readonly bulk: Bulk }) {
  const t = useTexts(bulkTexts)
  const { jobs, results, isRunning } = bulk
  const of = (kind: BulkResult['kind']) => results.filter((result) => result.kind === kind)
  const kind = jobs[0]?.action.kind ?? 'disable'
  const role = jobs[0]?.action.kind === 'role' ? jobs[0].action.role : ''
  const [done, already, notTried] = [of('done').length, of('already').length, of('notTried').length]
  const failed = results.filter((result) => result.kind === 'failed')
  if (isRunning)
    return (
      <div className="selected-actions">
        <progress aria-label={t(`${kind}Running`, { role })} value={results.length} max={jobs.length} />
        <span>{t('progress', { done: results.length, all: jobs.length })}</span>
        <Button onClick={bulk.cancel}>{t('cancel')}</Button>
      </div>
    )
  return (
    <div className="report" role={failed.length > 0 ? 'alert' : 'status'}>
      <p>
        <strong>{t(`${kind}Done`, { done, all: jobs.length, role })}</strong>{' '}
        {already > 0 && t('already', { count: already })} {failed.length > 0 && t('failed', { count: failed.length })}{' '}
        {notTried > 0 && t('notTried', { count: notTried })}
      </p>
      {failed.length > 0 && (
        <ul className="plain report-failures">
          {failed.map((result) => (
            <Failure key={result.job.user.id} {...result} />
          ))}
        </ul>
      )}
      <div className="selected-actions">
        {undoOf(results).length > 0 && <Button onClick={() => void bulk.start(undoOf(results))}>{t('undo')}</Button>}
        <Button look="text" onClick={bulk.close}>
          {t('close')}
        </Button>
      </div>
    </div>
  )
}

function Failure({ job: { user }, error }: Extract<BulkResult, { kind: 'failed' }>) {
  const t = useTexts(bulkTexts)
  const sentence = useSentence(error)
  const requestId = requestIdOf(error)
  return (
    <li>
      <Link to="/users/$userId" params={{ userId: user.id }}>
        {user.email ?? user.id}
      </Link>{' '}
      {error instanceof ChangedMeanwhile ? t('changed') : sentence}{' '}
      {requestId !== undefined && (
        <span className="note-request">
          {t('request')} <code>{requestId}</code> <CopyButton text={requestId} name={t('request')} />
        </span>
      )}
    </li>
  )
}
