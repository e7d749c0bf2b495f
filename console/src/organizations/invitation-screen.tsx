import { isProblem, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { muster, useIssuer } from '../session/muster.ts'
import { ownAccount, ownOrganizations } from '../session/own.ts'
import { queries } from '../session/queries.ts'
import { defineTexts, useTexts } from '../texts.ts'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { say } from '../ui/toast.tsx'

/** What a link to an invitation leads to. Looking at it uses nothing up; the button does. */
export function InvitationScreen() {
  const t = useTexts(invitationTexts)
  const { token } = useSearch({ from: '/invitation' })
  const navigate = useNavigate()
  const [kept, setKept] = useState(token)
  useEffect(() => {
    if (token === undefined) return
    setKept(token)
    // Neither the history nor a screenshot of the address bar keeps it.
    void navigate({ to: '/invitation', search: {}, replace: true })
  }, [token, navigate])
  if (kept === undefined) return <End title={t('missing')} why={t('missingWhy')} />
  return <Invitation token={kept} />
}

function Invitation({ token }: { readonly token: string }) {
  const t = useTexts(invitationTexts)
  const attempt = useAttempt()
  const navigate = useNavigate()
  const join = async () => {
    const joined = await unwrap(muster.POST('/api/v1/orgs/accept-invitation', { body: { token } }))
    say(t('joined', { name: joined.name }))
    await queries.invalidateQueries({ queryKey: ownOrganizations.queryKey })
    await navigate({ to: '/organizations/$orgId', params: { orgId: joined.id }, replace: true })
  }
  if (isProblem(attempt.error, 'invitation_unknown')) return <End title={t('invalid')} why={t('invalidWhy')} />
  if (isProblem(attempt.error, 'member_already')) return <End title={t('already')} why={t('alreadyWhy')} />
  return (
    <>
      <h1>{t('title')}</h1>
      <p>{t('what')}</p>
      <Who />
      <AttemptNote error={attempt.error} title={t('refused')} />
      <div className="buttons">
        <Button look="main" isBusy={attempt.isBusy} onClick={() => attempt.run(join)}>
          {t('join')}
        </Button>
      </div>
    </>
  )
}

/** The account that joins, which may be that of another user at the same machine. */
function Who() {
  const t = useTexts(invitationTexts)
  const issuer = useIssuer()
  const account = useQuery({ ...ownAccount, enabled: issuer === undefined })
  const email = account.data?.email
  if (!issuer && !email) return null
  return (
    <p className="note">
      {issuer ? t('asIssuer', { title: issuer.title }) : t('as', { email: email ?? '' })} {t('another')}
    </p>
  )
}

function End({ title, why }: { readonly title: string; readonly why: string }) {
  const t = useTexts(invitationTexts)
  return (
    <>
      <h1>{title}</h1>
      <p role="status">{why}</p>
      <p>
        <Link to="/organizations">{t('toOrganizations')}</Link>
      </p>
    </>
  )
}

const invitationTexts = defineTexts({
  title: ['Join an organisation', 'Einer Organisation beitreten'],
  what: [
    'You were invited to an organisation. When you join, its owners see your e-mail address, and you get what its roles and plan grant.',
    'Sie wurden in eine Organisation eingeladen. Wenn Sie beitreten, sehen ihre Inhaber Ihre E-Mail-Adresse, und Sie erhalten, was ihre Rollen und ihr Tarif gewähren.',
  ],
  as: ['You join as {email}.', 'Sie treten als {email} bei.'],
  asIssuer: ['You join with your account of {title}.', 'Sie treten mit Ihrem Konto von {title} bei.'],
  another: [
    'Is that not you? Sign out first, and open the link again.',
    'Sind Sie das nicht? Melden Sie sich zuerst ab, und öffnen Sie den Link dann noch einmal.',
  ],
  join: ['Join the organisation', 'Der Organisation beitreten'],
  joined: ['You are a member of “{name}”.', 'Sie sind Mitglied von „{name}“.'],
  refused: ['You have not joined.', 'Sie sind nicht beigetreten.'],
  invalid: ['The invitation is not valid any more', 'Die Einladung gilt nicht mehr'],
  invalidWhy: [
    'It has expired, was used, or was revoked. Ask the person who invited you for a new one.',
    'Sie ist abgelaufen, wurde benutzt oder zurückgezogen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
  ],
  already: ['You are a member already', 'Sie sind schon Mitglied'],
  alreadyWhy: [
    'The invitation is as good as before: the person who invited you can give it to someone else.',
    'Die Einladung gilt weiter: Wer Sie eingeladen hat, kann sie jemand anderem geben.',
  ],
  missing: ['This page needs a link', 'Diese Seite braucht einen Link'],
  missingWhy: [
    'Open the link that you were given, from its beginning to its end.',
    'Öffnen Sie den Link, den Sie bekommen haben, von Anfang bis Ende.',
  ],
  toOrganizations: ['To your organisations', 'Zu Ihren Organisationen'],
})
