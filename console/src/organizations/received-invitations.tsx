import { type Schemas, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { ownOrganizations, receivedInvitations } from '../session/own.ts'
import { queries } from '../session/queries.ts'
import { useTexts } from '../texts.ts'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/facts.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { organizationTexts } from './texts.ts'

/** Invitations to the verified email of the caller. Nothing while there is none. */
export function ReceivedInvitations() {
  const t = useTexts(organizationTexts)
  const list = useQuery(receivedInvitations)
  if (list.isError)
    return <ProblemNote error={list.error} title={t('receivedRefused')} onRetry={() => void list.refetch()} />
  const invitations = list.data?.invitations ?? []
  if (invitations.length === 0) return null
  return (
    <>
      <h2>{t('received')}</h2>
      <ul>
        {invitations.map((invitation) => (
          <ReceivedInvitation key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </>
  )
}

function ReceivedInvitation({ invitation }: { readonly invitation: Schemas['ReceivedInvitation'] }) {
  const t = useTexts(organizationTexts)
  const attempt = useAttempt()
  const { id: invitationId, organization, role, expiresAt } = invitation
  const { name } = organization
  const params = { path: { invitationId } }
  const answered = async (text: string) => {
    say(text)
    const changed = [receivedInvitations.queryKey, ownOrganizations.queryKey]
    await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
  const accept = async () => {
    await unwrap(muster.POST('/api/v1/invitations/{invitationId}/accept', { params }))
    await answered(t('acceptDone', { name }))
  }
  const decline = async () => {
    await unwrap(muster.POST('/api/v1/invitations/{invitationId}/decline', { params }))
    await answered(t('declineDone', { name }))
  }
  return (
    <li>
      {name} · {role} · {t('expires')} <Moment at={expiresAt} />{' '}
      <Button aria-label={t('joinNamed', { name })} isBusy={attempt.isBusy} onClick={() => attempt.run(accept)}>
        {t('join')}
      </Button>{' '}
      <Button aria-label={t('declineNamed', { name })} isBusy={attempt.isBusy} onClick={() => attempt.run(decline)}>
        {t('decline')}
      </Button>
      <AttemptNote error={attempt.error} title={t('answerRefused')} />
    </li>
  )
}
