import { unwrap } from '@muster/client'
import { useUser } from '@muster/react'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts.ts'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/field.tsx'
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
    <form onSubmit={attempt.submit(change)}>
      <h1>{t('changeTitle')}</h1>
      <p>{t('changeWhy')}</p>
      <PasswordField label={t('currentPassword')} value={currentPassword} onType={setCurrentPassword} />
      <PasswordField
        label={t('newPassword')}
        hint={t('newPasswordHint')}
        isNew
        value={newPassword}
        onType={setNewPassword}
      />
      <AttemptNote error={attempt.error} title={t('passwordRefused')} />
      <Button type="submit" look="main" isBusy={attempt.isBusy}>
        {t('change')}
      </Button>
    </form>
  )
}
