import { session } from '../session/muster.ts'
import type { SignInIssuer } from '../session/sign-in-options.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { AttemptNote } from './attempt-note.tsx'
import { issuerTexts } from './issuer-texts.ts'

interface IssuerChoiceProps {
  readonly issuers: readonly SignInIssuer[]
  /** Whether there is no other way than these. */
  readonly isOnly: boolean
}

/** A button for each issuer, which leads to its own page. */
export function IssuerChoice({ issuers, isOnly }: IssuerChoiceProps) {
  const t = useTexts(issuerTexts)
  const attempt = useAttempt()
  return (
    <>
      {!isOnly && <p className="or">{t('or')}</p>}
      <AttemptNote error={attempt.error} title={t('faultTitle')} />
      <div className="issuers">
        {issuers.map((issuer) => (
          <Button
            key={issuer.issuer}
            look={isOnly ? 'main' : 'plain'}
            isBusy={attempt.isBusy}
            onClick={() => attempt.run(() => session.signInAt(issuer))}
          >
            {t('signInAt', { title: issuer.title })}
          </Button>
        ))}
      </div>
    </>
  )
}

/** Instead of a form that leads nowhere. */
export function NoWay() {
  const t = useTexts(issuerTexts)
  return (
    <div className="note note-warning">
      <p className="note-title">{t('noWay')}</p>
      <p>{t('noWayWhy')}</p>
    </div>
  )
}
