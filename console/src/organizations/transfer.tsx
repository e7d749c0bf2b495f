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

/** Makes a member the owner, and the caller a member. */
export function Transfer({ orgId, organization, member, onChanged }: TransferProps) {
  const t = useTexts(organizationTexts)
  const [isAsking, setIsAsking] = useState(false)
  const transfer = async () => {
    const options = { params: { path: { orgId } }, body: { userId: member.id } }
    await unwrap(muster.POST('/api/v1/orgs/{orgId}/transfer', options))
    say(t('transferDone', { name: member.name, organization }))
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
