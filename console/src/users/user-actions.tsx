import { useState } from 'react'
import { useTexts } from '../texts.ts'
import { type Attempt, AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button, CopyId } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { Permitted } from '../ui/permitted.tsx'
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
      {attempt.error instanceof ChangedMeanwhile ? (
        <ChangedNote {...attempt.error} />
      ) : (
        <AttemptNote error={attempt.error} title={t('nothingChanged')} />
      )}
      <Permitted resource="users" action="change_role">
        <RoleForm seen={seen} name={name} attempt={attempt} />
      </Permitted>
      <div className="user-actions">
        <Permitted resource="users" action="disable">
          <StatusButton seen={seen} name={name} attempt={attempt} />
        </Permitted>
        <Permitted resource="users" action="recover">
          <Recovery seen={seen} name={name} />
        </Permitted>
        <Permitted resource="users" action="end_sessions">
          <EndSessions seen={seen} name={name} />
        </Permitted>
        {seen.user.status !== 'erasing' && (
          <Permitted resource="users" action="erase">
            <Erase seen={seen} name={name} />
          </Permitted>
        )}
      </div>
    </>
  )
}

interface ActionProps {
  readonly seen: UserVersion
  readonly name: string
}

interface SharedAttempt {
  readonly attempt: Attempt
}

/** Disables or enables, and offers to undo it. Enabling also keeps an account that was to be erased. */
function StatusButton({ seen, name, attempt }: ActionProps & SharedAttempt) {
  const t = useTexts(userTexts)
  const isActive = seen.user.status === 'active'
  const back = async () => {
    const now = await readUser(seen.user.id)
    await (isActive ? enableUser(now) : disableUser(now))
  }
  const turn = async () => {
    await (isActive ? disableUser(seen) : enableUser(seen))
    say(t(isActive ? 'disabled' : 'enabled', { name }), { label: t('undo'), run: () => attempt.run(back) })
  }
  return (
    <Button look={isActive ? 'danger' : 'plain'} isBusy={attempt.isBusy} onClick={() => attempt.run(turn)}>
      {t(isActive ? 'disable' : 'enable')}
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
      <AttemptNote error={attempt.error} title={t('recoverRefused')} />
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
  return (
    <ConfirmButton
      look="danger"
      question={t('endQuestion', { name })}
      action={t('endSessions')}
      refusal={t('endRefused')}
      onConfirm={async () => say(t('ended', { count: await endUserSessions(seen.user) }))}
    >
      {t('endWhat')}
    </ConfirmButton>
  )
}

function Erase({ seen, name }: ActionProps) {
  const t = useTexts(userTexts)
  const run = async () => {
    await eraseUser(seen)
    say(t('erased', { name }))
  }
  return (
    <ConfirmButton
      look="danger"
      question={t('eraseQuestion', { name })}
      action={t('erase')}
      typed={name}
      refusal={t('eraseRefused')}
      onConfirm={run}
    >
      {t('eraseWhat')}
    </ConfirmButton>
  )
}

const comparedMembers = ['email', 'role', 'status'] as const

/** Both versions of a user who was changed meanwhile, side by side. */
function ChangedNote({ before, now }: { readonly before: UserRecord; readonly now: UserRecord }) {
  const t = useTexts(userTexts)
  const list = useTexts(usersTexts)
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
                <th scope="row">{list(member)}</th>
                <td>{before[member]}</td>
                <td>{now[member]}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}

/** One of the roles of the installation, chosen by those who may list them; others type its id. */
function RoleForm({ seen, name, attempt }: ActionProps & SharedAttempt) {
  const t = useTexts(userTexts)
  const former = seen.user.role
  const [role, setRole] = useState(former)
  const undo = async () => {
    await changeUserRole(await readUser(seen.user.id), former)
    setRole(former)
  }
  const run = async () => {
    await changeUserRole(seen, role)
    say(t('roleDone', { name, role }), { label: t('undo'), run: () => attempt.run(undo) })
  }
  return (
    <form onSubmit={attempt.submit(run)}>
      <RoleChoice role={role} onChange={setRole} />
      <Button type="submit" isBusy={attempt.isBusy} disabled={role === former}>
        {t('changeRole')}
      </Button>
    </form>
  )
}
