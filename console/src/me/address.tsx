import { isProblem, type Schemas, unwrap } from '@muster/client'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { ownAccount } from '../session/own.ts'
import { queries } from '../session/queries.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import { useTexts } from '../texts.ts'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Email, FactList, Moment } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toast.tsx'
import { meTexts } from './texts.ts'

type OwnAccount = Schemas['OwnAccount']

const readAgain = () => queries.invalidateQueries({ queryKey: ownAccount.queryKey })

/** The name and the address, a change of it that waits for its links, and the way to another one. */
export function Address({
  account: { displayName, email, emailProved, emailChange },
}: {
  readonly account: OwnAccount
}) {
  const t = useTexts(meTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <FactList
        facts={[
          [t('name'), displayName ?? undefined],
          [t('email'), <ShownAddress key="email" email={email} isProved={emailProved} />],
        ]}
      />
      {emailChange && <Pending change={emailChange} />}
      {isOpen ? (
        <NewAddress onClose={() => setIsOpen(false)} />
      ) : (
        <p>
          <Button onClick={() => setIsOpen(true)}>{t('changeEmail')}</Button>
        </p>
      )}
    </>
  )
}

export function ShownAddress({ email, isProved }: { readonly email: string | null; readonly isProved: boolean }) {
  const t = useTexts(meTexts)
  if (email === null) return t('noEmail')
  return <Email email={email} isProved={isProved} />
}

function Pending({ change }: { readonly change: NonNullable<OwnAccount['emailChange']> }) {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const { newEmail, expiresAt, awaits } = change
  const withdraw = async () => {
    await unwrap(muster.DELETE('/auth/email'))
    say(t('emailWithdrawn'))
    await readAgain()
  }
  return (
    <section className="note note-warning" aria-label={t('emailPending')}>
      <p className="note-title">{t('emailPending')}</p>
      <p className="wrap">
        {t(awaits.length > 1 ? 'emailAwaitsBoth' : awaits[0] === 'new' ? 'emailAwaitsNew' : 'emailAwaitsPresent', {
          email: newEmail,
        })}{' '}
        {t('emailLinksEnd')} <Moment at={expiresAt} />.
      </p>
      <AttemptNote error={attempt.error} title={t('emailNotWithdrawn')} />
      <Button isBusy={attempt.isBusy} onClick={() => attempt.run(withdraw)}>
        {t('withdrawEmail')}
      </Button>
    </section>
  )
}

function NewAddress({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const [newEmail, setNewEmail] = useState('')
  const ask = async () => {
    await withStepUp(() => unwrap(muster.POST('/auth/email', { body: { newEmail: newEmail.trim() } })))
    say(t('emailAsked', { email: newEmail.trim() }))
    onClose()
    await readAgain()
  }
  const title = isProblem(attempt.error, 'mail_unconfigured') ? t('emailNoMail') : t('emailRefused')
  return (
    <form onSubmit={attempt.submit(ask)}>
      <Field
        label={t('newEmail')}
        hint={t('newEmailHint')}
        type="email"
        autoComplete="email"
        required
        value={newEmail}
        onType={setNewEmail}
      />
      <AttemptNote error={attempt.error} title={title} />
      <div className="buttons">
        <Button type="submit" look="main" isBusy={attempt.isBusy}>
          {t('mailLinks')}
        </Button>
        <Button look="text" onClick={onClose}>
          {t('notNow')}
        </Button>
      </div>
    </form>
  )
}
