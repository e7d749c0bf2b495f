import { unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { muster, session, useSession } from '../session/muster.ts'
import { chooseShortcuts, useShortcuts } from '../shell/keys.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { saveFile } from '../ui/download.tsx'
import { Field } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { Address, ownAccountKey } from './address.tsx'
import { Factors } from './factors.tsx'
import { Plan } from './plan.tsx'
import { Devices, OwnSessions } from './sessions.tsx'
import { meTexts } from './texts.ts'
import './me.css'

/** What a user sees and changes of their own account. */
export function MeScreen() {
  const t = useTexts(meTexts)
  const state = useSession()
  const issuer = state.status === 'open' ? state.issuer : undefined
  return (
    <>
      <h1>{t('title')}</h1>
      <h2>{t('account')}</h2>
      {issuer ? (
        <>
          <p className="note">{t('foreign', { title: issuer.title })}</p>
          <Plan />
        </>
      ) : (
        <OwnAccount />
      )}
      <ShortcutChoice />
    </>
  )
}

/** Of a session with the built-in issuer. */
function OwnAccount() {
  const t = useTexts(meTexts)
  const account = useQuery({
    queryKey: ownAccountKey,
    queryFn: ({ signal }) => unwrap(muster.GET('/auth/account', { signal })),
  })
  return (
    <Answer of={account} refusal={t('accountRefused')}>
      {(own) => (
        <>
          <Address account={own} />
          <Plan />
          <PasswordForm />
          <Factors />
          <OwnSessions />
          <Devices />
          <OwnData email={own.email} />
        </>
      )}
    </Answer>
  )
}

function PasswordForm() {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const change = async () => {
    await withStepUp(() => unwrap(muster.PUT('/auth/password', { body: { currentPassword, newPassword } })))
    setCurrent('')
    setNew('')
    say(t('passwordDone'))
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        attempt.run(change)
      }}
    >
      <h2>{t('password')}</h2>
      <Field
        label={t('currentPassword')}
        type="password"
        autoComplete="current-password"
        required
        value={currentPassword}
        onChange={({ target }) => setCurrent(target.value)}
      />
      <Field
        label={t('newPassword')}
        hint={t('newPasswordHint')}
        type="password"
        autoComplete="new-password"
        required
        value={newPassword}
        onChange={({ target }) => setNew(target.value)}
      />
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('passwordRefused')} />}
      <Button type="submit" isBusy={attempt.isBusy}>
        {t('changePassword')}
      </Button>
    </form>
  )
}

/** A copy of everything, and the end of it. */
function OwnData({ email }: { readonly email: string | null }) {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const [isAsking, setIsAsking] = useState(false)
  const download = async () => {
    const data = await withStepUp(() => unwrap(muster.GET('/auth/account/export')))
    saveFile('my-account.json', new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
  }
  const erase = async () => {
    await withStepUp(() => unwrap(muster.POST('/auth/account/erase')))
    await session.signOut()
  }
  return (
    <>
      <h2>{t('data')}</h2>
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('exportRefused')} />}
      <div className="buttons">
        <Button isBusy={attempt.isBusy} onClick={() => attempt.run(download)}>
          {t('export')}
        </Button>
        <Button look="danger" onClick={() => setIsAsking(true)}>
          {t('erase')}
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        question={t('eraseQuestion')}
        action={t('erase')}
        {...(email !== null && { typed: email })}
        refusal={t('eraseRefused')}
        onConfirm={erase}
        onClose={() => setIsAsking(false)}
      >
        {t('eraseWhat')}
      </Confirm>
    </>
  )
}

/** Of this browser. */
function ShortcutChoice() {
  const t = useTexts(meTexts)
  const isOn = useShortcuts()
  return (
    <>
      <h2>{t('keyboard')}</h2>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={({ target }) => chooseShortcuts(target.checked)} />
        {t('shortcuts')}
      </label>
    </>
  )
}
