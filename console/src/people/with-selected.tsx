import { RequirePermission } from '@muster/react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { BulkReport } from './bulk/bulk-report.tsx'
import type { Action } from './bulk/run-bulk.ts'
import { bulkTexts } from './bulk/texts.ts'
import type { Bulk } from './bulk/use-bulk.ts'
import { asShown, type ListedUser } from './read-people.ts'
import { RoleChoice } from './role-choice.tsx'
import type { Selection } from './use-selection.ts'

/** What can be done with the people who were chosen, and the report of what was. At the foot of the window: nothing moves for it. */
export function WithSelected({ selection, bulk }: { readonly selection: Selection; readonly bulk: Bulk }) {
  const t = useTexts(bulkTexts)
  const [asking, setAsking] = useState<'endSessions' | 'role'>()
  const [role, setRole] = useState('')
  // The mark in the row is painted first. Those who are counted here are those with whom it is done.
  const users = [...useDeferredValue(selection.people).values()]
  const run = async (action: Action) => {
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
  readonly onRun: (action: Action) => void
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
