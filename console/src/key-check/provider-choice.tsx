import { Combobox } from '@base-ui/react/combobox'
import { useId, useRef, useState } from 'react'
import { useTexts } from '../texts.ts'
import { isMeant, type Provider } from './credential.ts'
import { keyCheckTexts } from './texts.ts'

interface ProviderChoiceProps {
  readonly providers: readonly Provider[]
  readonly label: string
  readonly value: Provider
  readonly onChoose: (provider: Provider) => void
}

/** A list to type into. */
export function ProviderChoice({ providers, label, value, onChoose }: ProviderChoiceProps) {
  const t = useTexts(keyCheckTexts)
  const id = useId()
  const field = useRef<HTMLDivElement>(null)
  const search = useSearch()
  const found = search.typed === undefined ? providers : providers.filter((one) => isMeant(one, search.typed ?? ''))
  return (
    <div className="field" ref={field}>
      <label htmlFor={id}>{label}</label>
      <Combobox.Root
        items={found}
        filter={null}
        value={value}
        // Without a choice the former one stays.
        onValueChange={(chosen) => chosen && onChoose(chosen)}
        open={search.isOpen}
        onOpenChange={search.open}
        inputValue={search.typed ?? value.title}
        onInputValueChange={(text, { reason }) => reason === 'input-change' && search.type(text)}
        itemToStringLabel={({ title }) => title}
        isItemEqualToValue={(one, other) => one.id === other.id}
        autoHighlight
      >
        <Combobox.InputGroup className="choice">
          <Combobox.Input
            id={id}
            aria-describedby={`${id}-hint`}
            onFocus={({ target }) => target.select()}
            onBlur={({ relatedTarget }) => field.current?.contains(relatedTarget) || search.open(false)}
          />
          <Combobox.Trigger className="choice-open" aria-label={t('showProviders')}>
            ▾
          </Combobox.Trigger>
        </Combobox.InputGroup>
        <p className="field-hint" id={`${id}-hint`}>
          {t('providerHint', { count: providers.length })}
        </p>
        {search.isOpen && (
          <Combobox.Portal container={field}>
            <List label={label} />
          </Combobox.Portal>
        )}
      </Combobox.Root>
    </div>
  )
}

function List({ label }: { readonly label: string }) {
  const t = useTexts(keyCheckTexts)
  return (
    <Combobox.Positioner className="choice-place" sideOffset={4}>
      {/* No `Combobox.Popup`: it would hide the rest of the page, and with it the label, from screen readers. */}
      <div className="choice-list" tabIndex={-1}>
        <Combobox.Empty>
          <div className="choice-empty">{t('noProvider')}</div>
        </Combobox.Empty>
        <Combobox.List aria-label={label}>
          {(provider: Provider) => (
            <Combobox.Item key={provider.id} value={provider} className="choice-item">
              <span>{provider.title}</span>
              <code>{provider.id}</code>
            </Combobox.Item>
          )}
        </Combobox.List>
      </div>
    </Combobox.Positioner>
  )
}

/** What was typed counts while the list is open. */
function useSearch() {
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState<string>()
  const open = (next: boolean) => {
    setIsOpen(next)
    if (!next) setTyped(undefined)
  }
  const type = (text: string) => {
    setIsOpen(true)
    setTyped(text)
  }
  return { isOpen, typed, open, type }
}
