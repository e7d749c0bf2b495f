import { unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { CopyId } from '../ui/copy-button.tsx'
import { Choice } from '../ui/field.tsx'
import { Moment } from '../ui/moment.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { invitationLink } from './search.ts'
import { organizationTexts } from './texts.ts'

/** A week. */
const expiresInHours = 168

const invitationsKey = (orgId: string) => ['invitations', orgId]

/** Open invitations, and a new one, whose token is shown once. */
export function Invitations({ orgId }: { readonly orgId: string }) {
  const t = useTexts(organizationTexts)
  const revoking = useAttempt()
  const path = { orgId }
  const queryKey = invitationsKey(orgId)
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/orgs/{orgId}/invitations', { params: { path }, signal })),
  })
  const revoke = async (invitationId: string) => {
    const params = { path: { orgId, invitationId } }
    await unwrap(muster.DELETE('/api/v1/orgs/{orgId}/invitations/{invitationId}', { params }))
    say(t('revokeDone'))
    await queries.invalidateQueries({ queryKey })
  }
  return (
    <>
      <h2>{t('invitations')}</h2>
      <Answer of={list} refusal={t('invitationsRefused')}>
        {({ invitations }) =>
          invitations.length === 0 ? (
            <p className="empty">{t('invitationsNone')}</p>
          ) : (
            <ul>
              {invitations.map((invitation) => (
                <li key={invitation.id}>
                  {invitation.role} · {t('made')} <Moment at={invitation.createdAt} /> · {t('expires')}{' '}
                  <Moment at={invitation.expiresAt} />{' '}
                  <Button
                    aria-label={t('revokeNamed', { role: invitation.role })}
                    isBusy={revoking.isBusy}
                    onClick={() => revoking.run(() => revoke(invitation.id))}
                  >
                    {t('revoke')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {revoking.error !== undefined && <ProblemNote error={revoking.error} title={t('revokeRefused')} />}
      <NewInvitation orgId={orgId} />
    </>
  )
}

function NewInvitation({ orgId }: { readonly orgId: string }) {
  const t = useTexts(organizationTexts)
  const attempt = useAttempt()
  const [role, setRole] = useState('member')
  const [token, setToken] = useState<string>()
  const make = async () => {
    const params = { path: { orgId } }
    const body = { role, expiresInHours }
    const made = await unwrap(muster.POST('/api/v1/orgs/{orgId}/invitations', { params, body }))
    setToken(made.token)
    await queries.invalidateQueries({ queryKey: invitationsKey(orgId) })
  }
  return (
    <>
      {token !== undefined && (
        <div className="note" role="status">
          <p>{t('inviteDone')}</p>
          <CopyId id={invitationLink(token)} name={t('inviteToken')} />
          <p className="field-hint">{t('inviteHint')}</p>
        </div>
      )}
      <Choice label={t('inviteRole')} value={role} onChange={({ target }) => setRole(target.value)}>
        <option>member</option>
        <option>owner</option>
      </Choice>
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('inviteRefused')} />}
      <Button isBusy={attempt.isBusy} onClick={() => attempt.run(make)}>
        {t('invite')}
      </Button>
    </>
  )
}
