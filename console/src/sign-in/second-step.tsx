import { isProblem } from '@muster/client'
import { useState } from 'react'
import { hasPasskeys } from '../session/passkeys.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/field.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { AttemptNote } from './attempt-note.tsx'
import { CodeField } from './code-field.tsx'
import { type Challenge, completeWithCode, completeWithPasskey } from './sign-in-calls.ts'
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
    <form
      onSubmit={(event) => {
        event.preventDefault()
        attempt.run(withCode)
      }}
    >
      <h1>{t('secondTitle')}</h1>
      {!isRecovery && apps.length > 1 && (
        <Choice label={t('factor')} value={factorId} onChange={({ target }) => setFactorId(target.value)}>
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
