import { unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { muster, session, useIssuer } from '../session/muster.ts'
import { ownAccount } from '../session/own.ts'
import { shortcuts } from '../shell/keys.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import { useStore } from '../store.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { saveFile } from '../ui/download.tsx'
import { PasswordField } from '../ui/field.tsx'
import { say } from '../ui/toast.tsx'
import { Address } from './address.tsx'
import { Factors } from './factors.tsx'
import { Plan } from './plan.tsx'
import { Devices, OwnSessions } from './sessions.tsx'
import { meTexts } from './texts.ts'
import './me.css'

/** What a user sees and changes of their own account. */
export function MeScreen() {
  const t = useTexts(meTexts)
  const issuer = useIssuer()
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
  const account = useQuery(ownAccount)
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
    <form onSubmit={attempt.submit(change)}>
      <h2>{t('password')}</h2>
      <PasswordField label={t('currentPassword')} value={currentPassword} onType={setCurrent} />
      <PasswordField label={t('newPassword')} hint={t('newPasswordHint')} isNew value={newPassword} onType={setNew} />
      <AttemptNote error={attempt.error} title={t('passwordRefused')} />
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
      <AttemptNote error={attempt.error} title={t('exportRefused')} />
      <div className="buttons">
        <Button isBusy={attempt.isBusy} onClick={() => attempt.run(download)}>
          {t('export')}
        </Button>
        <ConfirmButton
          look="danger"
          question={t('eraseQuestion')}
          action={t('erase')}
          typed={email ?? undefined}
          refusal={t('eraseRefused')}
          onConfirm={erase}
        >
          {t('eraseWhat')}
        </ConfirmButton>
      </div>
    </>
  )
}

/** Of this browser. */
function ShortcutChoice() {
  const t = useTexts(meTexts)
  const isOn = useStore(shortcuts) === 'on'
  return (
    <>
      <h2>{t('keyboard')}</h2>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={() => shortcuts.become(isOn ? 'off' : 'on')} />
        {t('shortcuts')}
      </label>
    </>
  )
}
