import { RequirePermission } from '@muster/react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { CopyId } from '../ui/copy-button.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { ChangedNote } from './changed-note.tsx'
import {
  ChangedMeanwhile,
  disable,
  enable,
  endSessions,
  erase,
  giveRecoveryLink,
  readPerson,
  type SeenPerson,
} from './person-calls.ts'
import { personTexts } from './person-texts.ts'
import { RoleForm } from './role-form.tsx'

/** What the caller may change, each where their role includes it; else which permission is missing. */
export function PersonActions({ seen }: { readonly seen: SeenPerson }) {
  const t = useTexts(personTexts)
  const attempt = useAttempt()
  const name = seen.user.email ?? seen.user.id
  return (
    <>
      <h2>{t('actions')}</h2>
      {attempt.error instanceof ChangedMeanwhile && <ChangedNote {...attempt.error} />}
      {attempt.error !== undefined && !(attempt.error instanceof ChangedMeanwhile) && (
        <ProblemNote error={attempt.error} title={t('actionRefused')} />
      )}
      <Permitted action="change_role">
        <RoleForm seen={seen} name={name} attempt={attempt} />
      </Permitted>
      <div className="person-actions">
        <Permitted action="disable">
          <StatusButton seen={seen} name={name} run={attempt.run} isBusy={attempt.isBusy} />
        </Permitted>
        <Permitted action="recover">
          <Recovery seen={seen} name={name} />
        </Permitted>
        <Permitted action="end_sessions">
          <EndSessions seen={seen} name={name} />
        </Permitted>
        {seen.user.status !== 'erasing' && (
          <Permitted action="erase">
            <Erase seen={seen} name={name} />
          </Permitted>
        )}
      </div>
    </>
  )
}

/** What the role of the caller lets them do with users; else which permission is missing. */
export function Permitted({ action, children }: { readonly action: string; readonly children: ReactNode }) {
  const t = useTexts(personTexts)
  const missing = <p className="field-hint">{t('missing', { permission: `users:${action}` })}</p>
  return (
    <RequirePermission resource="users" action={action} fallback={missing}>
      {children}
    </RequirePermission>
  )
}

interface ActionProps {
  readonly seen: SeenPerson
  readonly name: string
}

interface StatusButtonProps extends ActionProps {
  readonly run: (work: () => Promise<void>) => void
  readonly isBusy: boolean
}

/** Disables or enables, and offers to undo it. Enabling also keeps an account that was to be erased. */
function StatusButton({ seen, name, run, isBusy }: StatusButtonProps) {
  const t = useTexts(personTexts)
  const isActive = seen.user.status === 'active'
  const back = async () => {
    const now = await readPerson(seen.user.id)
    await (isActive ? enable(now) : disable(now))
  }
  const turn = async () => {
    await (isActive ? disable(seen) : enable(seen))
    say(isActive ? t('disabled', { name }) : t('enabled', { name }), { label: t('undo'), run: () => run(back) })
  }
  return (
    <Button look={isActive ? 'danger' : 'plain'} isBusy={isBusy} onClick={() => run(turn)}>
      {isActive ? t('disable') : t('enable')}
    </Button>
  )
}

function Recovery({ seen, name }: ActionProps) {
  const t = useTexts(personTexts)
  const attempt = useAttempt()
  const [link, setLink] = useState<string>()
  const give = async () => {
    const made = await giveRecoveryLink(seen)
    setLink(made)
    if (made === undefined) say(t('recoverMailed', { name }))
  }
  return (
    <div>
      <Button isBusy={attempt.isBusy} onClick={() => attempt.run(give)}>
        {t('recover')}
      </Button>
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('recoverRefused')} />}
      {link !== undefined && (
        <div className="note note-warning" role="status">
          <p>{t('recoverLink', { name })}</p>
          <CopyId id={link} name={t('link')} />
        </div>
      )}
    </div>
  )
}

function EndSessions({ seen, name }: ActionProps) {
  const t = useTexts(personTexts)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        {t('endSessions')}
      </Button>
      <Confirm
        isOpen={isAsking}
        question={t('endQuestion', { name })}
        action={t('endSessions')}
        refusal={t('endRefused')}
        onConfirm={async () => say(t('ended', { count: await endSessions(seen.user) }))}
        onClose={() => setIsAsking(false)}
      >
        {t('endWhat')}
      </Confirm>
    </>
  )
}

function Erase({ seen, name }: ActionProps) {
  const t = useTexts(personTexts)
  const [isAsking, setIsAsking] = useState(false)
  const run = async () => {
    await erase(seen)
    say(t('erased', { name }))
  }
  return (
    <>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        {t('erase')}
      </Button>
      <Confirm
        isOpen={isAsking}
        question={t('eraseQuestion', { name })}
        action={t('erase')}
        typed={name}
        refusal={t('eraseRefused')}
        onConfirm={run}
        onClose={() => setIsAsking(false)}
      >
        {t('eraseWhat')}
      </Confirm>
    </>
  )
}
