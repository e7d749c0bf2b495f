import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Choice } from '../ui/field.tsx'
import { say } from '../ui/toast.tsx'
import { replayFailed } from './calls.ts'
import { webhookTexts } from './texts.ts'

const hourMs = 3_600_000

/** Sends again all that has failed, after a receiver was down. */
export function ReplayFailed({ webhookId }: { readonly webhookId: string }) {
  const t = useTexts(webhookTexts)
  const [isAsking, setIsAsking] = useState(false)
  const [hours, setHours] = useState(24)
  const replay = async () => {
    const since = new Date(Date.now() - hours * hourMs).toISOString()
    say(t('replayedAll', { count: await replayFailed(webhookId, since) }))
  }
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{t('replayAll')}</Button>
      <Confirm
        isOpen={isAsking}
        question={`${t('replayAll')}?`}
        action={t('replayAll')}
        refusal={t('replayRefused')}
        onConfirm={replay}
        onClose={() => setIsAsking(false)}
      >
        <Choice label={t('replaySince')} value={hours} onChange={({ target }) => setHours(Number(target.value))}>
          <option value={24}>{t('hours24')}</option>
          <option value={72}>{t('days3')}</option>
          <option value={720}>{t('days30')}</option>
        </Choice>
      </Confirm>
    </>
  )
}
