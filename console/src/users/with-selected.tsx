import { RequirePermission } from '@muster/react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useRef, useState } from 'react'
import { useTexts } from '../texts.ts'
import { Button, CopyButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { requestIdOf, useSentence } from '../ui/problem-note.tsx'
import { type Bulk, type BulkAction, type BulkResult, undoOf } from './bulk.ts'
import { asShown, ChangedMeanwhile, type ListedUser } from './calls.ts'
import { RoleChoice } from './role-choice.tsx'
import { bulkTexts } from './texts.ts'

/** What can be done with the people who were chosen, and the report of what was. At the foot of the window: nothing moves for it. */
export function WithSelected({ selection, bulk }: { readonly selection: Selection; readonly bulk: Bulk }) {
  const t = useTexts(bulkTexts)
  const [asking, setAsking] = useState<'endSessions' | 'role'>()
  const [role, setRole] = useState('')
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
        <Actions
          count={users.length}
          onRun={(action) => void run(action)}
          onAsk={setAsking}
          onClear={selection.clear}
        />
      )}
      <Confirm
        isOpen={asking === 'endSessions'}
        question={t('endQuestion', { people: namesOf(users) })}
        action={t('endSessions')}
        refusal={t('endRefused')}
        onConfirm={async () => void run({ kind: 'endSessions' })}
        onClose={() => setAsking(undefined)}
      >
        {t('endWhat')}
      </Confirm>
      <Confirm
        isOpen={asking === 'role'}
        question={t('roleQuestion', { people: namesOf(users) })}
        action={t('role')}
        refusal={t('endRefused')}
        onConfirm={async () => {
          if (role !== '') void run({ kind: 'role', role })
        }}
        onClose={() => setAsking(undefined)}
      >
        <RoleChoice role={role} onChange={setRole} />
      </Confirm>
    </section>
  )
}

/** What was done with people of another list. */
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
  readonly count: number
  readonly onRun: (action: BulkAction) => void
  /** For what needs an answer first. */
  readonly onAsk: (what: 'endSessions' | 'role') => void
  readonly onClear: () => void
}

function Actions({ count, onRun, onAsk, onClear }: ActionsProps) {
  const t = useTexts(bulkTexts)
  return (
    <div className="selected-actions">
      <strong role="status">{t('selected', { count: count })}</strong>
      <May action="disable">
        <Button look="danger" onClick={() => onRun({ kind: 'disable' })}>
          {t('disable')}
        </Button>
      </May>
      <May action="enable">
        <Button onClick={() => onRun({ kind: 'enable' })}>{t('enable')}</Button>
      </May>
      <May action="change_role">
        <Button onClick={() => onAsk('role')}>{t('role')}</Button>
      </May>
      <May action="end_sessions">
        <Button look="danger" onClick={() => onAsk('endSessions')}>
          {t('endSessions')}
        </Button>
      </May>
      <Button look="text" onClick={onClear}>
        {t('clear')}
      </Button>
    </div>
  )
}

/** The action, or which permission is missing for it. */
function May({ action, children }: { readonly action: string; readonly children: ReactNode }) {
  const t = useTexts(bulkTexts)
  const missing = <span className="field-hint">{t('missing', { permission: `users:${action}` })}</span>
  return (
    <RequirePermission resource="users" action={action} fallback={missing}>
      {children}
    </RequirePermission>
  )
}

function namesOf(users: readonly ListedUser[]): string {
  const [first, ...others] = users.map(({ email, id }) => email ?? id)
  return others.length === 0 ? (first ?? '') : `${first} + ${others.length}`
}

type Selected = ReadonlyMap<string, ListedUser>

/** The people that were chosen, as they were seen. They stay chosen while the list is scrolled. */
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
  const add = (users: readonly ListedUser[]) =>
    setUsers((former) => new Map([...former, ...users.map((user) => [user.id, user] as const)]))
  return {
    users: users,
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
    keep: (users) => setUsers(new Map(users.map((user) => [user.id, user]))),
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
      <Link to="/people/$userId" params={{ userId: user.id }}>
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
