import { unwrap } from '@muster/client'
import { RequirePermission } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/service.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { OneKey } from './one-key.tsx'
import { keyCheckTexts } from './texts.ts'
import './key-check.css'

/** Whether a provider accepts a key. */
export function KeyCheckScreen() {
  const t = useTexts(keyCheckTexts)
  return (
    <>
      <h1>{t('title')}</h1>
      <RequirePermission
        resource="provider_keys"
        action="validate"
        fallback={<p className="note">{t('permissionMissing')}</p>}
      >
        <Checks />
      </RequirePermission>
    </>
  )
}

function Checks() {
  const t = useTexts(keyCheckTexts)
  const providers = useQuery({
    queryKey: ['providers'],
    queryFn: () => unwrap(muster.GET('/api/v1/providers')),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Answer of={providers} refusal={t('providersRefused')}>
      {(data) => <OneKey providers={data.providers} />}
    </Answer>
  )
}
