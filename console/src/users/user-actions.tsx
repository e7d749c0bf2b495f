import { RequirePermission } from '@muster/react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts.ts'
import { type Attempt, useAttempt } from '../ui/attempt.tsx'
import { Button, CopyId } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import {
  ChangedMeanwhile,
  changeUserRole,
  disableUser,
  enableUser,
  endUserSessions,
  eraseUser,
  giveRecoveryLink,
  readUser,
  type UserRecord,
  type UserVersion,
} from './calls.ts'
import { RoleChoice } from './role-choice.tsx'
import { usersTexts, userTexts } from './texts.ts'

/** What the caller may change, each where their role includes it; else which permission is missing. */
export function UserActions({ seen }: { readonly seen: UserVersion }) {
  const t = useTexts(userTexts)
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
  const t = useTexts(userTexts)
  const missing = <p className="field-hint">{t('missing', { permission: `users:${action}` })}</p>
  return (
    <RequirePermission resource="users" action={action} fallback={missing}>
      {children}
    </RequirePermission>
  )
}

interface ActionProps {
  readonly seen: UserVersion
  readonly name: string
}

interface StatusButtonProps extends ActionProps {
  readonly run: (work: () => Promise<void>) => void
  readonly isBusy: boolean
}

/** Disables or enables, and offers to undo it. Enabling also keeps an account that was to be erased. */
function StatusButton({ seen, name, run, isBusy }: StatusButtonProps) {
  const t = useTexts(userTexts)
  const isActive = seen.user.status === 'active'
  const back = async () => {
    const now = await readUser(seen.user.id)
    await (isActive ? enableUser(now) : disableUser(now))
  }
  const turn = async () => {
    await (isActive ? disableUser(seen) : enableUser(seen))
    say(isActive ? t('disabled', { name }) : t('enabled', { name }), { label: t('undo'), run: () => run(back) })
  }
  return (
    <Button look={isActive ? 'danger' : 'plain'} isBusy={isBusy} onClick={() => run(turn)}>
      {isActive ? t('disable') : t('enable')}
    </Button>
  )
}

function Recovery({ seen, name }: ActionProps) {
  const t = useTexts(userTexts)
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
  const t = useTexts(userTexts)
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
        onConfirm={async () => say(t('ended', { count: await endUserSessions(seen.user) }))}
        onClose={() => setIsAsking(false)}
      >
        {t('endWhat')}
      </Confirm>
    </>
  )
}

function Erase({ seen, name }: ActionProps) {
  const t = useTexts(userTexts)
  const [isAsking, setIsAsking] = useState(false)
  const run = async () => {
    await eraseUser(seen)
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

const comparedMembers = ['email', 'role', 'status'] as const

/** Both versions of a person who was changed meanwhile, side by side. */
function ChangedNote({ before, now }: { readonly before: UserRecord; readonly now: UserRecord }) {
  const t = useTexts(userTexts)
  const people = useTexts(usersTexts)
  return (
    <div className="note note-warning" role="alert">
      <p className="note-title">{t('changedTitle')}</p>
      <p>{t('changedWhat')}</p>
      <table className="versions">
        <thead>
          <tr>
            <th scope="col">{t('member')}</th>
            <th scope="col">{t('before')}</th>
            <th scope="col">{t('now')}</th>
          </tr>
        </thead>
        <tbody>
          {comparedMembers
            .filter((member) => before[member] !== now[member])
            .map((member) => (
              <tr key={member}>
                <th scope="row">{people(member)}</th>
                <td>{before[member]}</td>
                <td>{now[member]}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}

interface RoleFormProps {
  readonly seen: UserVersion
  readonly name: string
  readonly attempt: Attempt
}

/** One of the roles of the installation, chosen by those who may list them; others type its id. */
function RoleForm({ seen, name, attempt }: RoleFormProps) {
  const t = useTexts(userTexts)
  const former = seen.user.role
  const [role, setRole] = useState(former)
  const undo = async () => {
    await changeUserRole(await readUser(seen.user.id), former)
    setRole(former)
  }
  const run = async () => {
    await changeUserRole(seen, role)
    say(t('roleChanged', { name, role }), { label: t('undo'), run: () => attempt.run(undo) })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        attempt.run(run)
      }}
    >
      <RoleChoice role={role} onChange={setRole} />
      <Button type="submit" isBusy={attempt.isBusy} disabled={role === former}>
        {t('changeRole')}
      </Button>
    </form>
  )
}
