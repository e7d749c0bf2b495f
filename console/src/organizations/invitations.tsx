import { type Schemas, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { reading } from '../session/reading.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button, CopyId } from '../ui/button.tsx'
import { displayEmail } from '../ui/email.ts'
import { Mark, Moment } from '../ui/facts.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { say } from '../ui/toast.tsx'
import { invitationLink } from './search.ts'
import { organizationTexts } from './texts.ts'

/** A week. */
const expiresInHours = 168

const invitationsKey = (orgId: string) => ['invitations', orgId]

/** Invitations that are open or were declined, and a new one. The token of a link is shown once. */
export function Invitations({ orgId }: { readonly orgId: string }) {
  const t = useTexts(organizationTexts)
  const [token, setToken] = useState<string>()
  const list = useQuery(
    reading(invitationsKey(orgId), (signal) =>
      muster.GET('/api/v1/orgs/{orgId}/invitations', { params: { path: { orgId } }, signal }),
    ),
  )
  const show = async ({ email, mailedAt, token }: Schemas['NewInvitation']) => {
    setToken(token)
    if (email !== undefined)
      say(t(mailedAt === undefined ? 'inviteNotMailed' : 'inviteMailed', { email: displayEmail(email) }))
    await queries.invalidateQueries({ queryKey: invitationsKey(orgId) })
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
                <InvitationLine key={invitation.id} orgId={orgId} invitation={invitation} onSent={show} />
              ))}
            </ul>
          )
        }
      </Answer>
      {token !== undefined && (
        <div className="note" role="status">
          <p>{t('inviteDone')}</p>
          <CopyId id={invitationLink(token)} name={t('inviteToken')} />
          <p className="field-hint">{t('inviteHint')}</p>
        </div>
      )}
      <NewInvitation orgId={orgId} onMade={show} />
    </>
  )
}

interface InvitationLineProps {
  readonly orgId: string
  readonly invitation: Schemas['Invitation']
  readonly onSent: (sent: Schemas['NewInvitation']) => Promise<void>
}

function InvitationLine({ orgId, invitation, onSent }: InvitationLineProps) {
  const t = useTexts(organizationTexts)
  const sending = useAttempt()
  const revoking = useAttempt()
  const { id: invitationId, email, role, mailedAt, declinedAt, expiresAt } = invitation
  const params = { path: { orgId, invitationId } }
  const send = async () =>
    onSent(await unwrap(muster.POST('/api/v1/orgs/{orgId}/invitations/{invitationId}/send', { params, body: {} })))
  const revoke = async () => {
    await unwrap(muster.DELETE('/api/v1/orgs/{orgId}/invitations/{invitationId}', { params }))
    say(t('revokeDone'))
    await queries.invalidateQueries({ queryKey: invitationsKey(orgId) })
  }
  const named = { whom: email ?? role }
  return (
    <li>
      {email === undefined ? t('link') : displayEmail(email)} · {role} ·{' '}
      {email !== undefined && (
        <>
          {t(mailedAt === undefined ? 'notMailed' : 'mailed')} {mailedAt !== undefined && <Moment at={mailedAt} />} ·{' '}
        </>
      )}
      {t('expires')} <Moment at={expiresAt} /> {declinedAt !== undefined && <Mark tone="warning">{t('declined')}</Mark>}{' '}
      <Button aria-label={t('sendNamed', named)} isBusy={sending.isBusy} onClick={() => sending.run(send)}>
        {t('send')}
      </Button>{' '}
      <Button aria-label={t('revokeNamed', named)} isBusy={revoking.isBusy} onClick={() => revoking.run(revoke)}>
        {t('revoke')}
      </Button>
      <AttemptNote error={sending.error} title={t('sendRefused')} />
      <AttemptNote error={revoking.error} title={t('revokeRefused')} />
    </li>
  )
}

interface NewInvitationProps {
  readonly orgId: string
  readonly onMade: (made: Schemas['NewInvitation']) => Promise<void>
}

function NewInvitation({ orgId, onMade }: NewInvitationProps) {
  const t = useTexts(organizationTexts)
  const attempt = useAttempt()
  const [role, setRole] = useState('member')
  const [email, setEmail] = useState('')
  const make = async () => {
    const typed = email.trim()
    const body = { role, expiresInHours, ...(typed !== '' && { email: typed }) }
    await onMade(await unwrap(muster.POST('/api/v1/orgs/{orgId}/invitations', { params: { path: { orgId } }, body })))
    setEmail('')
  }
  return (
    <>
      <Field
        label={t('inviteEmail')}
        hint={t('inviteEmailHint')}
        type="email"
        autoComplete="off"
        value={email}
        onType={setEmail}
      />
      <Choice label={t('inviteRole')} value={role} onType={setRole}>
        <option>member</option>
        <option>owner</option>
      </Choice>
      <AttemptNote error={attempt.error} title={t('inviteRefused')} />
      <Button isBusy={attempt.isBusy} onClick={() => attempt.run(make)}>
        {t('invite')}
      </Button>
    </>
  )
}
