import { Dialog } from '@base-ui/react/dialog'
import { unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { muster, session, useIssuer } from '../session/muster.ts'
import { ownFactors } from '../session/own.ts'
import { askForPasskey, hasPasskeys } from '../session/passkeys.ts'
import { issuerTexts } from '../sign-in/issuers.tsx'
import { CodeField } from '../sign-in/second-step.tsx'
import { signInTexts } from '../sign-in/texts.ts'
import { useStore } from '../store.ts'
import { defineTexts, useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/field.tsx'
import { type Asked, openQuestion } from './with-step-up.ts'

/** Asks for the password or, of an account with a second factor, for that; of another issuer, for a new sign-in there. */
export function StepUpDialog() {
  const t = useTexts(stepUpTexts)
  const asked = useStore(openQuestion)
  const issuer = useIssuer()
  return (
    <Dialog.Root open={asked !== undefined} onOpenChange={(isOpen) => !isOpen && asked?.cancel()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>{t('title')}</Dialog.Title>
          <Dialog.Description>{t('why')}</Dialog.Description>
          {asked && (issuer ? <ProofAtIssuer asked={asked} title={issuer.title} /> : <Proof asked={asked} />)}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Proof({ asked }: { readonly asked: Asked }) {
  const t = useTexts(stepUpTexts)
  const factors = useQuery({ ...ownFactors, staleTime: 0 })
  return (
    <Answer of={factors} refusal={t('ownFactorsRefused')}>
      {({ factors: own }) => {
        const app = own.find(({ type }) => type === 'totp')
        return (
          <ProofForm
            asked={asked}
            app={app && { id: app.id, name: app.friendlyName }}
            hasPasskey={own.some(({ type }) => type === 'passkey')}
          />
        )
      }}
    </Answer>
  )
}

interface ProofFormProps {
  readonly asked: Asked
  readonly app: { readonly id: string; readonly name: string } | undefined
  readonly hasPasskey: boolean
}

function ProofForm({ asked, app, hasPasskey }: ProofFormProps) {
  const t = useTexts(stepUpTexts)
  const signIn = useTexts(signInTexts)
  const attempt = useAttempt()
  const [text, setText] = useState('')
  const isPassword = app === undefined && !hasPasskey
  const prove = async () => {
    const body = isPassword ? { password: text } : app ? { factorId: app.id, code: text } : { recoveryCode: text }
    await unwrap(muster.POST('/auth/step-up', { body }))
    asked.done()
  }
  const withPasskey = async () => {
    const { options } = await unwrap(muster.POST('/auth/step-up/passkey/options', { body: {} }))
    await unwrap(muster.POST('/auth/step-up', { body: { credential: await askForPasskey(options) } }))
    asked.done()
  }
  return (
    <form onSubmit={attempt.submit(prove)}>
      {isPassword ? (
        <PasswordField label={t('yourPassword')} value={text} onType={setText} />
      ) : (
        <CodeField isRecovery={app === undefined} app={app?.name ?? ''} code={text} onChange={setText} />
      )}
      <AttemptNote error={attempt.error} title={t('refused')} />
      <div className="buttons">
        <Button onClick={asked.cancel}>{t('cancel')}</Button>
        {hasPasskey && hasPasskeys && (
          <Button isBusy={attempt.isBusy} onClick={() => attempt.run(withPasskey)}>
            {signIn('usePasskey')}
          </Button>
        )}
        <Button type="submit" look="main" isBusy={attempt.isBusy}>
          {t('confirm')}
        </Button>
      </div>
    </form>
  )
}

/** The user of another issuer proves there who they are (RFC 9470 §4). */
function ProofAtIssuer({ asked, title }: { readonly asked: Asked; readonly title: string }) {
  const t = useTexts(issuerTexts)
  const attempt = useAttempt()
  return (
    <>
      <p>{t('proveAgain', { title })}</p>
      <AttemptNote error={attempt.error} title={t('faultTitle')} />
      <div className="buttons">
        <Button onClick={asked.cancel}>{t('cancel')}</Button>
        <Button look="main" isBusy={attempt.isBusy} onClick={() => attempt.run(() => session.proveAgain())}>
          {t('proveAt', { title })}
        </Button>
      </div>
    </>
  )
}

const stepUpTexts = defineTexts({
  title: ['Confirm that it is you', 'Bestätigen Sie, dass Sie es sind'],
  why: ['This needs a sign-in of the last minutes.', 'Dafür braucht es eine Anmeldung in den letzten Minuten.'],
  refused: [
    'You are still signed in, and this was not confirmed.',
    'Sie sind noch angemeldet, und dies wurde nicht bestätigt.',
  ],
})
