import { session, useIssuer } from '../session/muster.ts'
import type { ClosedState, SignInFault, SignInIssuer } from '../session/session-state.ts'
import { defineTexts, useTexts } from '../texts.ts'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'

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

/** Why a sign-in at another issuer has opened no session. */
export function FaultNote({ fault: { reason, title, code } }: { readonly fault: SignInFault }) {
  const t = useTexts(issuerTexts)
  const key = reason === 'not_accepted' ? 'notAccepted' : reason
  return (
    <div className="note note-problem" role="alert">
      <p className="note-title">{t('faultTitle')}</p>
      <p>{t(key, { title: title ?? t('another'), code: code ?? '' })}</p>
    </div>
  )
}

/** After a sign-out: the issuer itself may still know its user. */
export function LeftNote({ left: { title, endAddress } }: { readonly left: NonNullable<ClosedState['left']> }) {
  const t = useTexts(issuerTexts)
  return (
    <div className="note" role="status">
      <p className="note-title">{t('leftTitle')}</p>
      <p>{t('left', { title })}</p>
      {endAddress !== undefined && (
        <p>
          <a href={endAddress} rel="noreferrer">
            {t('endThere', { title })}
          </a>
        </p>
      )}
    </div>
  )
}

/** The token is genuine, and no account belongs to it. */
export function NoAccount() {
  const t = useTexts(issuerTexts)
  const title = useIssuer()?.title ?? t('another')
  return (
    <>
      <h1>{t('noAccountTitle')}</h1>
      <p>{t('noAccount', { title })}</p>
    </>
  )
}

export const issuerTexts = defineTexts({
  signInAt: ['Sign in with {title}', 'Mit {title} anmelden'],
  or: ['or', 'oder'],
  noWay: ['There is no way to sign in here yet', 'Hier kann sich noch niemand anmelden'],
  noWayWhy: [
    'The built-in issuer is switched off, and no entry of MUSTER_ISSUERS has a member “console”. Add one, and start the service again: docs/issuers.md shows how.',
    'Der eingebaute Aussteller ist ausgeschaltet, und kein Eintrag von MUSTER_ISSUERS hat „console“. Ergänzen Sie einen und starten Sie den Dienst neu: docs/issuers.md zeigt, wie.',
  ],
  faultTitle: ['You are not signed in.', 'Sie sind nicht angemeldet.'],
  another: ['another issuer', 'einem anderen Aussteller'],
  unreachable: [
    '{title} cannot be reached from this browser. Nothing was changed; try again in a moment. If it lasts: the issuer has to allow this page’s origin (CORS).',
    '{title} ist von diesem Browser aus nicht erreichbar. Nichts wurde geändert; versuchen Sie es gleich noch einmal. Bleibt es dabei, muss der Aussteller den Ursprung dieser Seite zulassen (CORS).',
  ],
  denied: [
    '{title} says that the sign-in was cancelled or refused. Try again, or choose another way.',
    '{title} meldet, dass die Anmeldung abgebrochen oder abgelehnt wurde. Versuchen Sie es erneut, oder wählen Sie einen anderen Weg.',
  ],
  mismatch: [
    'The answer of {title} does not belong to a sign-in that this tab has started, or was used already. It was not accepted; sign in again.',
    'Die Antwort von {title} gehört zu keiner Anmeldung, die dieser Tab begonnen hat, oder wurde schon benutzt. Sie wurde nicht angenommen; melden Sie sich erneut an.',
  ],
  refused: [
    '{title} has not completed the sign-in, and says: {code}. If trying again does not help, tell your administrator.',
    '{title} hat die Anmeldung nicht abgeschlossen und meldet: {code}. Hilft ein neuer Versuch nicht, sagen Sie es Ihrem Administrator.',
  ],
  notAccepted: [
    '{title} has signed you in, and Muster does not accept its token. Tell your administrator: the audience of the token and the entry in MUSTER_ISSUERS do not fit.',
    '{title} hat Sie angemeldet, aber Muster nimmt das Token nicht an. Sagen Sie es Ihrem Administrator: Die Audience des Tokens und der Eintrag in MUSTER_ISSUERS passen nicht zusammen.',
  ],
  leftTitle: ['You are signed out of Muster.', 'Sie sind bei Muster abgemeldet.'],
  left: [
    'You may still be signed in with {title}: a click on its button then opens Muster again without a password.',
    'Bei {title} sind Sie vielleicht noch angemeldet: Ein Klick auf die Schaltfläche öffnet Muster dann ohne Passwort wieder.',
  ],
  endThere: ['Sign out of {title} too', 'Auch bei {title} abmelden'],
  noAccountTitle: ['There is no account for you here', 'Hier gibt es kein Konto für Sie'],
  noAccount: [
    '{title} has signed you in, but no account here belongs to that sign-in, and none is made for it. Ask an administrator of Muster for one, or sign out and use another sign-in.',
    '{title} hat Sie angemeldet, aber zu dieser Anmeldung gehört hier kein Konto, und es wird keines angelegt. Bitten Sie einen Administrator von Muster um eines, oder melden Sie sich ab und auf anderem Weg wieder an.',
  ],
  proveAgain: [
    'It needs a new sign-in with {title}. You come back to this screen; what you have typed here is lost.',
    'Dafür braucht es eine neue Anmeldung bei {title}. Sie kommen hierher zurück; was Sie hier eingegeben haben, geht verloren.',
  ],
  proveAt: ['Sign in again with {title}', 'Erneut bei {title} anmelden'],
})
