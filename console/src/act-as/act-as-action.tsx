import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../texts.ts'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { startActAs } from './calls.ts'
import { actAsTexts } from './texts.ts'

interface ActAsActionProps {
  readonly userId: string
  readonly name: string
  readonly isActive: boolean
}

/** Asks for the reason, and opens what the user sees. */
export function ActAsAction({ userId, name, isActive }: ActAsActionProps) {
  const t = useTexts(actAsTexts)
  const navigate = useNavigate()
  const attempt = useAttempt()
  const [isOpen, setIsOpen] = useState(false)
  const [reason, setReason] = useState('')
  const start = async () => {
    await startActAs(userId, reason.trim())
    await navigate({ to: '/users/$userId/as', params: { userId } })
  }
  if (!isActive) return <p className="field-hint">{t('disabled')}</p>
  if (!isOpen) return <Button onClick={() => setIsOpen(true)}>{t('see')}</Button>
  return (
    <form className="note" onSubmit={attempt.submit(start)}>
      <p>{t('what', { name })}</p>
      <Field
        label={t('reason')}
        hint={t('reasonHint')}
        value={reason}
        required
        autoFocus
        maxLength={200}
        autoComplete="off"
        onType={setReason}
      />
      <AttemptNote error={attempt.error} title={t('refused')} />
      <div className="buttons">
        <Button onClick={() => setIsOpen(false)}>{t('cancel')}</Button>
        <Button type="submit" look="main" isBusy={attempt.isBusy}>
          {t('begin', { name })}
        </Button>
      </div>
    </form>
  )
}
