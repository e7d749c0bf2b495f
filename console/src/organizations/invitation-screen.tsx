import { isProblem, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { useSession } from '../session/use-session.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { invitationTexts } from './invitation-texts.ts'
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
