import { Tabs } from '@base-ui/react/tabs'
import { RequirePermission } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { providerList } from '../session/own.ts'
import { useTexts } from '../texts.ts'
import { Answer, Skeleton } from '../ui/answer.tsx'
import { Choice } from '../ui/field.tsx'
import type { Provider } from './credential.ts'
import { CredentialForm } from './credential-form.tsx'
import { ProviderChoice } from './provider-choice.tsx'
import { certaintyTexts, keyCheckTexts } from './texts.ts'
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
  const answer = useQuery(providerList)
  return (
    <Answer of={answer} refusal={t('providersRefused')}>
      {({ providers, outgoingAddresses = [] }) => (
        <Tabs.Root defaultValue="one" onValueChange={(tab) => tab === 'many' && setWasManyOpened(true)}>
          <Tabs.List className="tabs">
            <Tabs.Tab value="one">{t('one')}</Tabs.Tab>
            <Tabs.Tab value="many">{t('many')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="one">
            <OneKey
              key={provider}
              providers={providers}
              outgoingAddresses={outgoingAddresses}
              {...(provider !== undefined && { firstId: provider })}
            />
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

const defaultId = 'cloudflare'

interface OneKeyProps {
  readonly providers: readonly Provider[]
  readonly outgoingAddresses: readonly string[]
  /** The provider that is chosen at first. */
  readonly firstId?: string
}

/** A check of one key: whose it is, its parts, and the verdict. */
function OneKey({ providers, outgoingAddresses, firstId = defaultId }: OneKeyProps) {
  const t = useTexts(keyCheckTexts)
  const certainty = useTexts(certaintyTexts)
  const [chosenId, setChosenId] = useState(firstId)
  const [chosenType, setChosenType] = useState<string>()
  const provider = providers.find(({ id }) => id === chosenId) ?? providers[0]
  const keyType = provider?.keyTypes.find((one) => one.keyType === chosenType) ?? provider?.keyTypes[0]
  if (!provider || !keyType) return <p className="empty">{t('noProviders')}</p>
  return (
    <>
      <ProviderChoice
        providers={providers}
        label={t('provider')}
        value={provider}
        onChoose={({ id }) => {
          setChosenId(id)
          setChosenType(undefined)
        }}
      />
      {provider.keyTypes.length > 1 && (
        <Choice label={t('keyType')} value={keyType.keyType} onType={setChosenType}>
          {provider.keyTypes.map((one) => (
            <option key={one.keyType} value={one.keyType}>
              {one.label}
            </option>
          ))}
        </Choice>
      )}
      <p className="key-links">
        <a href={provider.keyPage} target="_blank" rel="noreferrer">
          {t('makeKey')}
        </a>
        <a href={provider.docs} target="_blank" rel="noreferrer">
          {t('docs', { provider: provider.title })}
        </a>
      </p>
      <div className="key-hints">
        {outgoingAddresses.length > 0 && (
          <p className="field-hint">{t('outgoing', { addresses: outgoingAddresses.join(', ') })}</p>
        )}
        <p className="field-hint">{certainty(provider.certainty, { provider: provider.title })}</p>
      </div>
      {/* Another credential is another form: nothing that was entered goes along. */}
      <CredentialForm key={`${provider.id} ${keyType.keyType}`} provider={provider} keyType={keyType} />
    </>
  )
}
