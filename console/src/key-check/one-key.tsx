import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Choice } from '../ui/field.tsx'
import type { Provider } from './credential.ts'
import { CredentialForm } from './credential-form.tsx'
import { ProviderChoice } from './provider-choice.tsx'
import { keyCheckTexts } from './texts.ts'

const defaultId = 'cloudflare'

interface OneKeyProps {
  readonly providers: readonly Provider[]
  /** The provider that is chosen at first. */
  readonly firstId?: string
}

/** A check of one key: whose it is, its parts, and the verdict. */
export function OneKey({ providers, firstId = defaultId }: OneKeyProps) {
  const t = useTexts(keyCheckTexts)
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
        <Choice label={t('keyType')} value={keyType.keyType} onChange={({ target }) => setChosenType(target.value)}>
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
      {/* Another credential is another form: nothing that was entered goes along. */}
      <CredentialForm key={`${provider.id} ${keyType.keyType}`} provider={provider} keyType={keyType} />
    </>
  )
}
