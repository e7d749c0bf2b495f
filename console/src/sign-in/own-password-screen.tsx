import { unwrap } from '@muster/client'
import { useUser } from '@muster/react'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts.ts'
import { useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { signInTexts } from './texts.ts'

/** An initial password opens this screen and no other. */
export function OwnPasswordScreen() {
  const t = useTexts(signInTexts)
  const attempt = useAttempt()
  const { refresh } = useUser()
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const change = async () => {
    await unwrap(muster.PUT('/auth/password', { body: { currentPassword, newPassword } }))
    await refresh()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        attempt.run(change)
      }}
    >
      <h1>{t('changeTitle')}</h1>
      <p>{t('changeWhy')}</p>
      <Field
        label={t('currentPassword')}
        type="password"
        autoComplete="current-password"
        required
        value={currentPassword}
        onChange={({ target }) => setCurrentPassword(target.value)}
      />
      <Field
        label={t('newPassword')}
        hint={t('newPasswordHint')}
        type="password"
        autoComplete="new-password"
        required
        value={newPassword}
        onChange={({ target }) => setNewPassword(target.value)}
      />
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('changeRefused')} />}
      <Button type="submit" look="main" isBusy={attempt.isBusy}>
        {t('change')}
      </Button>
    </form>
  )
}
