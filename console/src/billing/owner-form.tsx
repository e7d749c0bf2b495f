import { type FormEvent, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { findAccount, linkOwner } from './calls.ts'
import { billingTexts } from './texts.ts'

interface OwnerFormProps {
  readonly customerId: string
  readonly onClose: () => void
}

/** Asks whose a customer is. Every link is taken back by another one, so nothing has to be typed twice. */
export function OwnerForm({ customerId, onClose }: OwnerFormProps) {
  const t = useTexts(billingTexts)
  const attempt = useAttempt()
  const [kind, setKind] = useState<'account' | 'organization'>('account')
  const [who, setWho] = useState('')
  const [isUnknown, setIsUnknown] = useState(false)
  const link = async () => {
    const id = kind === 'account' ? await findAccount(who.trim()) : who.trim()
    if (id === undefined) return setIsUnknown(true)
    await linkOwner(customerId, kind === 'account' ? { accountId: id } : { orgId: id })
    say(t('linked_', { customer: customerId }))
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsUnknown(false)
    attempt.run(link)
  }
  return (
    <form className="note" onSubmit={submit}>
      <h3>{t('ownerQuestion', { customer: customerId })}</h3>
      <p>{t('ownerWhat')}</p>
      <Choice
        label={t('kind')}
        value={kind}
        onChange={({ target }) => setKind(target.value === 'account' ? 'account' : 'organization')}
      >
        <option value="account">{t('account')}</option>
        <option value="organization">{t('organization')}</option>
      </Choice>
      <Field
        label={t(kind === 'account' ? 'accountLabel' : 'organizationLabel')}
        value={who}
        required
        autoFocus
        autoComplete="off"
        spellCheck={false}
        error={isUnknown ? t('ownerUnknown') : undefined}
        onChange={({ target }) => setWho(target.value)}
      />
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('linkRefused')} />}
      <div className="buttons">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="main" isBusy={attempt.isBusy}>
          {t('link')}
        </Button>
      </div>
    </form>
  )
}
