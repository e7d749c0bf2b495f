import { unwrap } from '@muster/client'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { say } from '../ui/toast.tsx'
import { organizationTexts } from './texts.ts'

interface TransferProps {
  readonly orgId: string
  readonly organization: string
  readonly member: { readonly id: string; readonly name: string }
  readonly onChanged: () => Promise<unknown>
}

/** Makes a member the owner, and the caller a member. In this order: an organisation is never without an owner. */
export function Transfer({ orgId, organization, member, onChanged }: TransferProps) {
  const t = useTexts(organizationTexts)
  const [isAsking, setIsAsking] = useState(false)
  const setRole = (userId: string, role: string) => {
    const params = { path: { orgId, userId } }
    return unwrap(muster.PUT('/api/v1/orgs/{orgId}/members/{userId}/role', { params, body: { role } }))
  }
  const transfer = async () => {
    // Before anything is changed: without it the second half could not be done.
    const { id } = await unwrap(muster.GET('/auth/account'))
    await setRole(member.id, 'owner')
    const isDone = await setRole(id, 'member').then(
      () => true,
      () => false,
    )
    say(t(isDone ? 'transferDone' : 'transferHalf', { name: member.name, organization }))
    await onChanged()
  }
  return (
    <>
      <Button aria-label={t('transferNamed', { name: member.name })} onClick={() => setIsAsking(true)}>
        {t('transfer')}
      </Button>
      <Confirm
        isOpen={isAsking}
        question={t('transferQuestion', { name: member.name, organization })}
        action={t('transferAction')}
        typed={organization}
        refusal={t('transferRefused')}
        onConfirm={transfer}
        onClose={() => setIsAsking(false)}
      >
        {t('transferWhat')}
      </Confirm>
    </>
  )
}
