import { isProblem, type ProblemError } from '@muster/client'
import { useState } from 'react'
import { hasPasskeys } from '../session/passkeys.ts'
import type { ClosedState } from '../session/session-state.ts'
import { AlonePage } from '../shell/alone.tsx'
import { useTexts } from '../texts.ts'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Field, PasswordField } from '../ui/field.tsx'
import { type Challenge, signIn, signInWithPasskey } from './calls.ts'
import { FaultNote, IssuerChoice, LeftNote, NoWay } from './issuers.tsx'
import { KeepAccount, SecondStep } from './second-step.tsx'
import { signInTexts } from './texts.ts'
import './sign-in.css'

/** Password or passkey, then the second step where the account has one; and the other issuers. */
export function SignInScreen({ state: { hasEnded, options, fault, left } }: { readonly state: ClosedState }) {
  const t = useTexts(signInTexts)
  const { builtIn, issuers } = options
  const [challenge, setChallenge] = useState<Challenge>()
  const [erasing, setErasing] = useState<ProblemError<'account_erasing'>>()
  return (
    <AlonePage>
      {erasing ? (
        <KeepAccount problem={erasing.problem} onLeave={() => setErasing(undefined)} />
      ) : challenge ? (
        <SecondStep challenge={challenge} onStartAgain={() => setChallenge(undefined)} />
      ) : (
        <>
          <h1>{t('title')}</h1>
          {hasEnded && <p className="note note-warning">{t('ended')}</p>}
          {fault && <FaultNote fault={fault} />}
          {left && <LeftNote left={left} />}
          {builtIn && <FirstStep onChallenge={setChallenge} onErasing={setErasing} />}
          {issuers.length > 0 && <IssuerChoice issuers={issuers} isOnly={!builtIn} />}
          {!builtIn && issuers.length === 0 && <NoWay />}
        </>
      )}
    </AlonePage>
  )
}

interface FirstStepProps {
  readonly onChallenge: (challenge: Challenge) => void
  readonly onErasing: (problem: ProblemError<'account_erasing'>) => void
}

function FirstStep({ onChallenge, onErasing }: FirstStepProps) {
  const t = useTexts(signInTexts)
  const attempt = useAttempt()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const attemptWith = (work: () => Promise<Challenge | undefined>) =>
    attempt.run(async () => {
      try {
        const challenge = await work()
        if (challenge) onChallenge(challenge)
      } catch (error) {
        if (!isProblem(error, 'account_erasing')) throw error
        onErasing(error)
      }
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        attemptWith(() => signIn(email, password))
      }}
    >
      <Field
        label={t('email')}
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        onType={setEmail}
      />
      <PasswordField label={t('password')} name="password" value={password} onType={setPassword} />
      <AttemptNote error={attempt.error} title={t('refused')} />
      <div className="buttons">
        <Button type="submit" look="main" isBusy={attempt.isBusy}>
          {t('signIn')}
        </Button>
        {hasPasskeys && (
          <Button isBusy={attempt.isBusy} onClick={() => attemptWith(signInWithPasskey)}>
            {t('passkey')}
          </Button>
        )}
      </div>
    </form>
  )
}
