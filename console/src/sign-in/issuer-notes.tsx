import type { ClosedState, SignInFault } from '../session/session-state.ts'
import { useSession } from '../session/use-session.ts'
import { useTexts } from '../texts/texts.ts'
import { issuerTexts } from './issuer-texts.ts'

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
  const state = useSession()
  const title = (state.status === 'open' && state.issuer?.title) || t('another')
  return (
    <>
      <h1>{t('noAccountTitle')}</h1>
      <p>{t('noAccount', { title })}</p>
    </>
  )
}
