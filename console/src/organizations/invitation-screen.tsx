import { isProblem, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { muster, useSession } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { defineTexts, useTexts } from '../texts.ts'
import { useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { ownOrganizations } from './own-organizations.ts'

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
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('refused')} />}
      <div className="buttons">
        <Button look="main" isBusy={attempt.isBusy} onClick={() => attempt.run(join)}>
          {t('join')}
        </Button>
      </div>
    </>
  )
}

/** The account that joins, which may be that of another person at the same machine. */
function Who() {
  const t = useTexts(invitationTexts)
  const state = useSession()
  const issuer = state.status === 'open' ? state.issuer : undefined
  const account = useQuery({
    queryKey: ['own-account'],
    queryFn: ({ signal }) => unwrap(muster.GET('/auth/account', { signal })),
    enabled: issuer === undefined,
  })
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
  en: {
    title: 'Join an organisation',
    what: 'You were invited to an organisation. When you join, its owners see your e-mail address, and you get what its roles and plan grant.',
    as: 'You join as {email}.',
    asIssuer: 'You join with your account of {title}.',
    another: 'Is that not you? Sign out first, and open the link again.',
    join: 'Join the organisation',
    joined: 'You are a member of “{name}”.',
    refused: 'You have not joined.',
    invalid: 'The invitation is not valid any more',
    invalidWhy: 'It has expired, was used, or was revoked. Ask the person who invited you for a new one.',
    already: 'You are a member already',
    alreadyWhy: 'The invitation is as good as before: the person who invited you can give it to someone else.',
    missing: 'This page needs a link',
    missingWhy: 'Open the link that you were given, from its beginning to its end.',
    toOrganizations: 'To your organisations',
  },
  de: {
    title: 'Einer Organisation beitreten',
    what: 'Sie wurden in eine Organisation eingeladen. Wenn Sie beitreten, sehen ihre Inhaber Ihre E-Mail-Adresse, und Sie erhalten, was ihre Rollen und ihr Tarif gewähren.',
    as: 'Sie treten als {email} bei.',
    asIssuer: 'Sie treten mit Ihrem Konto von {title} bei.',
    another: 'Sind Sie das nicht? Melden Sie sich zuerst ab, und öffnen Sie den Link dann noch einmal.',
    join: 'Der Organisation beitreten',
    joined: 'Sie sind Mitglied von „{name}“.',
    refused: 'Sie sind nicht beigetreten.',
    invalid: 'Die Einladung gilt nicht mehr',
    invalidWhy:
      'Sie ist abgelaufen, wurde benutzt oder zurückgezogen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
    already: 'Sie sind schon Mitglied',
    alreadyWhy: 'Die Einladung gilt weiter: Wer Sie eingeladen hat, kann sie jemand anderem geben.',
    missing: 'Diese Seite braucht einen Link',
    missingWhy: 'Öffnen Sie den Link, den Sie bekommen haben, von Anfang bis Ende.',
    toOrganizations: 'Zu Ihren Organisationen',
  },
})
