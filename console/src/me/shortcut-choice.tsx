import { chooseShortcuts, useShortcuts } from '../shell/shortcuts.ts'
import { useTexts } from '../texts/texts.ts'
import { meTexts } from './texts.ts'

/** Of this browser. */
export function ShortcutChoice() {
  const t = useTexts(meTexts)
  const isOn = useShortcuts()
  return (
    <>
      <h2>{t('keyboard')}</h2>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={({ target }) => chooseShortcuts(target.checked)} />
        {t('shortcuts')}
      </label>
    </>
  )
}
