import { session } from '../session/muster.ts'
import { AttemptNote } from '../sign-in/attempt-note.tsx'
import { issuerTexts } from '../sign-in/issuer-texts.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { uiTexts } from '../ui/texts.ts'
import { useAttempt } from '../ui/use-attempt.ts'
import type { Asked } from './with-step-up.ts'

/** The user of another issuer proves there who they are (RFC 9470 §4). */
export function ProofAtIssuer({ asked, title }: { readonly asked: Asked; readonly title: string }) {
  const t = useTexts(issuerTexts)
  const ui = useTexts(uiTexts)
  const attempt = useAttempt()
  return (
    <>
      <p>{t('proveAgain', { title })}</p>
      <AttemptNote error={attempt.error} title={t('faultTitle')} />
      <div className="buttons">
        <Button onClick={asked.cancel}>{ui('cancel')}</Button>
        <Button look="main" isBusy={attempt.isBusy} onClick={() => attempt.run(() => session.proveAgain())}>
          {t('proveAt', { title })}
        </Button>
      </div>
    </>
  )
}
