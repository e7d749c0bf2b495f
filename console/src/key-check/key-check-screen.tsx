import { Tabs } from '@base-ui/react/tabs'
import { unwrap } from '@muster/client'
import { RequirePermission } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { OneKey } from './one-key.tsx'
import { keyCheckTexts } from './texts.ts'
import './key-check.css'

/** With its parser of CSV: loaded when it is first opened. */
const ManyKeys = lazy(() => import('./many/many-keys.tsx').then((module) => ({ default: module.ManyKeys })))

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
  const { provider } = useSearch({ from: '/keys' })
  const [wasManyOpened, setWasManyOpened] = useState(false)
  const answer = useQuery({
    queryKey: ['providers'],
    queryFn: () => unwrap(muster.GET('/api/v1/providers')),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Answer of={answer} refusal={t('providersRefused')}>
      {({ providers }) => (
        <Tabs.Root defaultValue="one" onValueChange={(tab) => tab === 'many' && setWasManyOpened(true)}>
          <Tabs.List className="tabs">
            <Tabs.Tab value="one">{t('one')}</Tabs.Tab>
            <Tabs.Tab value="many">{t('many')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="one">
            <OneKey key={provider} providers={providers} {...(provider !== undefined && { firstId: provider })} />
          </Tabs.Panel>
          {/* A check of many keys goes on while one is checked. */}
          <Tabs.Panel value="many" keepMounted={wasManyOpened}>
            <Suspense fallback={<Skeleton />}>
              <ManyKeys providers={providers} />
            </Suspense>
          </Tabs.Panel>
        </Tabs.Root>
      )}
    </Answer>
  )
}
