import { Combobox } from '@base-ui/react/combobox'
import { useId } from 'react'
import { useTexts } from '../texts/texts.ts'
import { isMeant, type Provider } from './credential.ts'
import { keyCheckTexts } from './texts.ts'

interface ProviderChoiceProps {
  readonly providers: readonly Provider[]
  readonly value: Provider
  readonly onChoose: (provider: Provider) => void
}

/** A list to type into. */
export function ProviderChoice({ providers, value, onChoose }: ProviderChoiceProps) {
  const t = useTexts(keyCheckTexts)
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{t('provider')}</label>
      <Combobox.Root
        items={providers}
        value={value}
        // Without a choice the former one stays.
        onValueChange={(chosen) => chosen && onChoose(chosen)}
        itemToStringLabel={({ title }) => title}
        isItemEqualToValue={(one, other) => one.id === other.id}
        filter={isMeant}
        autoHighlight
      >
        <Combobox.InputGroup className="choice">
          <Combobox.Input id={id} aria-describedby={`${id}-hint`} onFocus={({ target }) => target.select()} />
          <Combobox.Trigger className="choice-open" aria-label={t('showProviders')}>
            ▾
          </Combobox.Trigger>
        </Combobox.InputGroup>
        <p className="field-hint" id={`${id}-hint`}>
          {t('providerHint', { count: providers.length })}
        </p>
        <Combobox.Portal>
          <Combobox.Positioner className="choice-place" sideOffset={4}>
            <Combobox.Popup className="choice-list">
              <Combobox.Empty>
                <div className="choice-empty">{t('noProvider')}</div>
              </Combobox.Empty>
              <Combobox.List aria-label={t('provider')}>
                {(provider: Provider) => (
                  <Combobox.Item key={provider.id} value={provider} className="choice-item">
                    <span>{provider.title}</span>
                    <code>{provider.id}</code>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </div>
  )
}
