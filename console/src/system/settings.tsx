import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Mark } from '../ui/mark.tsx'
import type { SystemStatusRecord } from './status-record.ts'
import { statusTexts } from './status-texts.ts'

/** The settings of the node. Of a secret it is shown that it is set, and nothing else. */
export function Settings({ settings }: Pick<SystemStatusRecord, 'settings'>) {
  const t = useTexts(statusTexts)
  const [isWhole, setIsWhole] = useState(false)
  const shown = settings.filter(({ isSet }) => isWhole || isSet)
  return (
    <section aria-label={t('settings')}>
      <h2>{t('settings')}</h2>
      <p>{t('settingsIntro')}</p>
      <p>
        <label className="settings-all">
          <input type="checkbox" checked={isWhole} onChange={({ target }) => setIsWhole(target.checked)} />{' '}
          {t('settingsAll', { count: settings.length })}
        </label>
      </p>
      {shown.length === 0 ? (
        <p>{t('settingsNone')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('setting')}</th>
              <th scope="col">{t('value')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ name, isSet, isSecret, value }) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td data-label={t('value')} className="wrap">
                  {isSecret && isSet && <Mark tone="neutral">{t('secretSet')}</Mark>}
                  {value !== undefined && value !== '' && <code>{value}</code>}{' '}
                  {!isSet && <Mark tone="neutral">{value ? t('byDefault') : t('notSet')}</Mark>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
