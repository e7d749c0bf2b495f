import { isProblem, type ProblemError } from '@muster/client'
import { useState } from 'react'
import { hasPasskeys } from '../session/passkeys.ts'
import { defineTexts, useTexts } from '../texts.ts'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/facts.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { type Challenge, type CodeProof, completeWithCode, completeWithPasskey, keepAccount } from './calls.ts'
import { signInTexts } from './texts.ts'

interface SecondStepProps {
  readonly challenge: Challenge
  readonly onStartAgain: () => void
}

/** A code of an app, a recovery code or a passkey. */
export function SecondStep({ challenge, onStartAgain }: SecondStepProps) {
  const t = useTexts(signInTexts)
  const attempt = useAttempt()
  const apps = challenge.factors.filter(({ type }) => type === 'totp')
  const [factorId, setFactorId] = useState(apps[0]?.id)
  const [isRecovery, setIsRecovery] = useState(apps.length === 0)
  const [code, setCode] = useState('')
  const { passkey } = challenge
  const withCode = () =>
    completeWithCode(challenge, isRecovery || factorId === undefined ? { recoveryCode: code } : { factorId, code })
  return (
    <form onSubmit={attempt.submit(withCode)}>
      <h1>{t('secondTitle')}</h1>
      {!isRecovery && apps.length > 1 && (
        <Choice label={t('factor')} value={factorId} onType={setFactorId}>
          {apps.map(({ id, friendlyName }) => (
            <option key={id} value={id}>
              {friendlyName}
            </option>
          ))}
        </Choice>
      )}
      <CodeField
        isRecovery={isRecovery}
        app={apps.find(({ id }) => id === factorId)?.friendlyName ?? ''}
        code={code}
        onChange={setCode}
      />
      <AttemptNote error={attempt.error} title={t('refused')} />
      <div className="buttons">
        <Button type="submit" look="main" isBusy={attempt.isBusy}>
          {t('confirm')}
        </Button>
        {passkey && hasPasskeys && (
          <Button
            isBusy={attempt.isBusy}
            onClick={() => attempt.run(() => completeWithPasskey(challenge, passkey.options))}
          >
            {t('usePasskey')}
          </Button>
        )}
        {apps.length > 0 && (
          <Button look="text" onClick={() => setIsRecovery(!isRecovery)}>
            {isRecovery ? t('useCode') : t('useRecovery')}
          </Button>
        )}
        <Button look={isProblem(attempt.error, 'challenge_invalid') ? 'main' : 'text'} onClick={onStartAgain}>
          {t('back')}
        </Button>
      </div>
    </form>
  )
}

const keepTexts = defineTexts({
  title: ['Your account is going to be erased', 'Ihr Konto wird gelöscht'],
  until: ['You have asked for it. It happens', 'Sie haben darum gebeten. Es geschieht'],
  what: [
    'If you keep it, it is as it was before, and you are signed in.',
    'Wenn Sie es behalten, ist es wie zuvor, und Sie sind angemeldet.',
  ],
  keep: ['Keep my account', 'Mein Konto behalten'],
  leave: ['Let it be erased', 'Löschen lassen'],
  refused: ['The account is still going to be erased.', 'Das Konto wird weiterhin gelöscht.'],
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
    <form onSubmit={attempt.submit(() => keepAccount(challenge, proof()))}>
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

interface CodeFieldProps {
  readonly isRecovery: boolean
  /** Whose code is asked for. */
  readonly app: string
  readonly code: string
  readonly onChange: (code: string) => void
}

/** For a code of an authenticator app, or a recovery code. */
export function CodeField({ isRecovery, app, code, onChange }: CodeFieldProps) {
  const t = useTexts(signInTexts)
  const way = isRecovery
    ? ({ label: t('recoveryCode'), hint: t('recoveryHint'), inputMode: 'text', autoComplete: 'off' } as const)
    : ({
        label: t('code'),
        hint: t('codeHint', { name: app }),
        inputMode: 'numeric',
        autoComplete: 'one-time-code',
      } as const)
  return <Field {...way} required value={code} onType={(value) => onChange(value.trim())} />
}
