import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { screens } from '../shell/screens.ts'
import { shellTexts } from '../shell/texts.ts'
import { useTexts } from '../texts.ts'
import { useSentence } from '../ui/problem-note.tsx'
import { paletteTexts } from './texts.ts'
import { type Entry, type EntryGroup, useEntries } from './use-entries.ts'
import './palette.css'

interface PaletteProps {
  readonly onClose: () => void
  readonly onHelp: () => void
}

/** Type, Enter: a user, a provider, a screen or an action. */
export function Palette({ onClose, onHelp }: PaletteProps) {
  const t = useTexts(paletteTexts)
  const [typed, setTyped] = useState('')
  const { groups, error, isAsking } = useEntries(typed, onHelp)
  const sentence = useSentence(error)
  // The dialog gives the focus back first: the screen that is opened takes it after that.
  const run = (entry: Entry) => {
    onClose()
    entry.run()
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="palette" aria-label={t('title')}>
          <Autocomplete.Root
            inline
            open
            mode="none"
            autoHighlight="always"
            keepHighlight
            items={groups}
            value={typed}
            onValueChange={(text, { reason }) => reason !== 'item-press' && setTyped(text)}
            itemToStringValue={({ title }: Entry) => title}
          >
            <Autocomplete.Input className="palette-input" aria-label={t('title')} placeholder={t('hint')} />
            <Autocomplete.Empty>
              {!isAsking && error === undefined && <div className="palette-none">{t('none')}</div>}
            </Autocomplete.Empty>
            {error !== undefined && (
              <p className="palette-none" role="alert">
                {t('usersRefused')} {sentence}
              </p>
            )}
            <Entries onRun={run} />
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Entries({ onRun }: { readonly onRun: (entry: Entry) => void }) {
  const t = useTexts(paletteTexts)
  return (
    <Autocomplete.List className="palette-list" aria-label={t('title')}>
      {(group: EntryGroup) => (
        <Autocomplete.Group key={group.kind} items={group.items}>
          <Autocomplete.GroupLabel className="palette-group">{t(group.kind)}</Autocomplete.GroupLabel>
          <Autocomplete.Collection>
            {(entry: Entry) => (
              <Autocomplete.Item key={entry.id} value={entry} className="palette-item" onClick={() => onRun(entry)}>
                <span>{entry.title}</span>
                {entry.keys !== undefined && <kbd>{entry.keys}</kbd>}
              </Autocomplete.Item>
            )}
          </Autocomplete.Collection>
        </Autocomplete.Group>
      )}
    </Autocomplete.List>
  )
}

/** All keys. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(paletteTexts)
  const shell = useTexts(shellTexts)
  const keys = [
    ['Ctrl K, ⌘ K', t('keyPalette')],
    ['?', t('keyHelp')],
    ['/', t('keySearch')],
    ['j k, ↓ ↑', t('keyRows')],
    ['Enter', t('keyOpen')],
    ['x', t('keySelect')],
    ['Esc', t('keyBack')],
    ...screens.map(({ key, name }) => [`g ${key}`, t('keyScreen', { screen: shell(name) })] as const),
  ] as const
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>{t('keysTitle')}</Dialog.Title>
          <dl className="keys">
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <div className="buttons">
            <Dialog.Close className="button button-plain">{t('close')}</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
