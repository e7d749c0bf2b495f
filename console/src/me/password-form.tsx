import { unwrap } from '@muster/client'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { meTexts } from './texts.ts'

export function PasswordForm() {
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
