import { unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { useSession } from '../session/use-session.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Address, ownAccountKey } from './address.tsx'
import { Devices } from './devices.tsx'
import { Factors } from './factors.tsx'
import './me.css'
import { OwnData } from './own-data.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { PasswordForm } from './password-form.tsx'
import { Plan } from './plan.tsx'
import { ShortcutChoice } from './shortcut-choice.tsx'
import { meTexts } from './texts.ts'

/** What a user sees and changes of their own account. */
export function MeScreen() {
  const t = useTexts(meTexts)
  const state = useSession()
  const issuer = state.status === 'open' ? state.issuer : undefined
  return (
    <>
      <h1>{t('title')}</h1>
      <h2>{t('account')}</h2>
      {issuer ? (
        <>
          <p className="note">{t('foreign', { title: issuer.title })}</p>
          <Plan />
        </>
      ) : (
        <OwnAccount />
      )}
      <ShortcutChoice />
    </>
  )
}

/** Of a session with the built-in issuer. */
function OwnAccount() {
  const t = useTexts(meTexts)
  const account = useQuery({
    queryKey: ownAccountKey,
    queryFn: ({ signal }) => unwrap(muster.GET('/auth/account', { signal })),
  })
  return (
    <Answer of={account} refusal={t('accountRefused')}>
      {(own) => (
        <>
          <Address account={own} />
          <Plan />
          <PasswordForm />
          <Factors />
          <OwnSessions />
          <Devices />
          <OwnData email={own.email} />
        </>
      )}
    </Answer>
  )
}
