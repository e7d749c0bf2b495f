import { Dialog } from '@base-ui/react/dialog'
import { screens } from '../shell/screens.ts'
import { shellTexts } from '../shell/texts.ts'
import { useTexts } from '../texts/texts.ts'
import './palette.css'
import { paletteTexts } from './texts.ts'

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
