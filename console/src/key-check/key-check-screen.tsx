import { Tabs } from '@base-ui/react/tabs'
import { unwrap } from '@muster/client'
import { RequirePermission } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { ManyKeys } from './many/many-keys.tsx'
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
  const answer = useQuery({
    queryKey: ['providers'],
    queryFn: () => unwrap(muster.GET('/api/v1/providers')),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Answer of={answer} refusal={t('providersRefused')}>
      {({ providers }) => (
        <Tabs.Root defaultValue="one">
          <Tabs.List className="tabs">
            <Tabs.Tab value="one">{t('one')}</Tabs.Tab>
            <Tabs.Tab value="many">{t('many')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="one">
            <OneKey providers={providers} />
          </Tabs.Panel>
          {/* A check of many keys goes on while one is checked. */}
          <Tabs.Panel value="many" keepMounted>
            <ManyKeys providers={providers} />
          </Tabs.Panel>
        </Tabs.Root>
      )}
    </Answer>
  )
}
