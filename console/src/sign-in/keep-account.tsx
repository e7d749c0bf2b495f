import type { ProblemError } from '@muster/client'
import { useState } from 'react'
import { defineTexts, useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/moment.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { AttemptNote } from './attempt-note.tsx'
import { CodeField } from './code-field.tsx'
import { type CodeProof, keepAccount } from './sign-in-calls.ts'
import { signInTexts } from './texts.ts'

const keepTexts = defineTexts({
  en: {
    title: 'Your account is going to be erased',
    until: 'You have asked for it. It happens',
    what: 'If you keep it, it is as it was before, and you are signed in.',
    keep: 'Keep my account',
    leave: 'Let it be erased',
    refused: 'The account is still going to be erased.',
  },
  de: {
    title: 'Ihr Konto wird gelöscht',
    until: 'Sie haben darum gebeten. Es geschieht',
    what: 'Wenn Sie es behalten, ist es wie zuvor, und Sie sind angemeldet.',
    keep: 'Mein Konto behalten',
    leave: 'Löschen lassen',
    refused: 'Das Konto wird weiterhin gelöscht.',
  },
})

interface KeepAccountProps {
  readonly problem: ProblemError<'account_erasing'>['problem']
  readonly onLeave: () => void
}

/** Instead of a session: the right password of an account that its owner has asked to erase. */
export function KeepAccount({ problem: { challenge = '', factors = [], erasesAt }, onLeave }: KeepAccountProps) {
  const t = useTexts(keepTexts)
  const signIn = useTexts(signInTexts)
  const attempt = useAttempt()
  const app = factors.find(({ type }) => type === 'totp')
  const [isRecovery, setIsRecovery] = useState(app === undefined)
  const [code, setCode] = useState('')
  const proof = (): CodeProof | undefined => {
    if (factors.length === 0) return undefined
    return isRecovery || app === undefined ? { recoveryCode: code } : { factorId: app.id, code }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        attempt.run(() => keepAccount(challenge, proof()))
      }}
    >
      <h1>{t('title')}</h1>
      {erasesAt !== undefined && (
        <p>
          {t('until')} <Moment at={erasesAt} />.
        </p>
      )}
      <p>{t('what')}</p>
      {factors.length > 0 && (
        <CodeField isRecovery={isRecovery} app={app?.friendlyName ?? ''} code={code} onChange={setCode} />
      )}
      <AttemptNote error={attempt.error} title={t('refused')} />
      <div className="buttons">
        <Button type="submit" look="main" isBusy={attempt.isBusy}>
          {t('keep')}
        </Button>
        {app && (
          <Button look="text" onClick={() => setIsRecovery(!isRecovery)}>
            {isRecovery ? signIn('useCode') : signIn('useRecovery')}
          </Button>
        )}
        <Button look="text" onClick={onLeave}>
          {t('leave')}
        </Button>
      </div>
    </form>
  )
}
