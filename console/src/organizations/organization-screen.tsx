import { unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { muster } from '../session/muster.ts'
import { ownOrganizations } from '../session/own.ts'
import { queries } from '../session/queries.ts'
import { reading } from '../session/reading.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button, CopyId } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { FactList, Mark } from '../ui/facts.tsx'
import { say } from '../ui/toast.tsx'
import { Invitations } from './invitations.tsx'
import { Members, MfaMissing } from './members.tsx'
import { organizationTexts } from './texts.ts'

/** One organisation: members, invitations, and whether a second factor is required. */
export function OrganizationScreen() {
  const t = useTexts(organizationTexts)
  const { orgId } = useParams({ from: '/organizations/$orgId' })
  const list = useQuery(ownOrganizations)
  // What the role of the caller in this organisation grants is in the user data for it.
  const inside = useQuery(
    reading(['user-data', orgId], (signal) =>
      muster.GET('/api/v1/user/data', { params: { query: { orgId } }, signal }),
    ),
  )
  const organization = list.data?.orgs.find(({ id }) => id === orgId)
  const name = organization?.name ?? orgId
  const grants = inside.data?.permissions.organization ?? []
  return (
    <>
      <p>
        <Link to="/organizations">{t('back')}</Link>
      </p>
      <h1>{name}</h1>
      <Answer of={inside} refusal={t('refused')}>
        {() => (
          <>
            <FactList
              facts={[
                ['Id', <CopyId key="id" id={orgId} name="Id" />],
                [t('role'), organization?.role],
              ]}
            />
            <Security orgId={orgId} mayManage={grants.includes('manage')} />
            {grants.includes('read') ? (
              <Members orgId={orgId} organization={name} mayManage={grants.includes('manage')} />
            ) : (
              <NoGrants orgId={orgId} />
            )}
            {grants.includes('manage') && <Invitations orgId={orgId} />}
            <Leave orgId={orgId} name={name} />
          </>
        )}
      </Answer>
    </>
  )
}

/** Why the role of the caller grants nothing here. */
function NoGrants({ orgId }: { readonly orgId: string }) {
  const t = useTexts(organizationTexts)
  const security = useQuery(securityOf(orgId))
  // The session has shown no second factor where the one that is required is what keeps the grants away.
  if (security.data?.requiresMfa !== true) return <p className="note">{t('membersForbidden')}</p>
  return <MfaMissing />
}

function securityOf(orgId: string) {
  const params = { path: { orgId } }
  return reading(['organization-security', orgId], (signal) =>
    muster.GET('/api/v1/orgs/{orgId}/security', { params, signal }),
  )
}

function Security({ orgId, mayManage }: { readonly orgId: string; readonly mayManage: boolean }) {
  const t = useTexts(organizationTexts)
  const attempt = useAttempt()
  const params = { path: { orgId } }
  const security = useQuery(securityOf(orgId))
  const change = async (requiresMfa: boolean) => {
    const changed = await unwrap(muster.PUT('/api/v1/orgs/{orgId}/security', { params, body: { requiresMfa } }))
    queries.setQueryData(securityOf(orgId).queryKey, changed)
  }
  return (
    <Answer of={security} refusal={t('securityRefused')}>
      {({ requiresMfa }) => (
        <>
          <h2>{t('security')}</h2>
          <p>
            <Mark tone={requiresMfa ? 'good' : 'neutral'}>{t(requiresMfa ? 'required' : 'notRequired')}</Mark>
          </p>
          <AttemptNote error={attempt.error} title={t('nothingChanged')} />
          {mayManage && (
            <Button isBusy={attempt.isBusy} onClick={() => attempt.run(() => change(!requiresMfa))}>
              {requiresMfa ? t('requireNoMore') : t('require')}
            </Button>
          )}
        </>
      )}
    </Answer>
  )
}

function Leave({ orgId, name }: { readonly orgId: string; readonly name: string }) {
  const t = useTexts(organizationTexts)
  const navigate = useNavigate()
  const leave = async () => {
    await unwrap(muster.POST('/api/v1/orgs/{orgId}/leave', { params: { path: { orgId } } }))
    say(t('leaveDone', { organization: name }))
    await queries.invalidateQueries({ queryKey: ownOrganizations.queryKey })
    await navigate({ to: '/organizations' })
  }
  return (
    <div className="buttons">
      <ConfirmButton
        look="danger"
        question={t('leaveQuestion', { organization: name })}
        action={t('leave')}
        refusal={t('leaveRefused')}
        onConfirm={leave}
      >
        {t('leaveWhat')}
      </ConfirmButton>
    </div>
  )
}
