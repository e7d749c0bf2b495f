import { useTexts } from '../texts/texts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Mark } from '../ui/mark.tsx'
import { adviceTexts } from './advice-texts.ts'
import type { SystemStatusRecord } from './status-record.ts'
import { statusTexts } from './status-texts.ts'

type Advice = SystemStatusRecord['advice'][number]

/** What to do, with the command that does it. */
export function AdviceList({ advice }: { readonly advice: readonly Advice[] }) {
  const t = useTexts(statusTexts)
  return (
    <section aria-label={t('advice')}>
      <h2>{t('advice')}</h2>
      {advice.length === 0 ? (
        <p>
          <Mark tone="good">{t('adviceNone')}</Mark>
        </p>
      ) : (
        <ul className="plain advice">
          {advice.map((one) => (
            <One key={one.code + JSON.stringify(one.values)} advice={one} />
          ))}
        </ul>
      )}
    </section>
  )
}

function One({ advice: { code, level, detail, values, command, setting } }: { readonly advice: Advice }) {
  const t = useTexts(statusTexts)
  const sentence = useTexts(adviceTexts)
  return (
    <li>
      <Mark tone={level === 'fail' ? 'bad' : 'warning'}>{isKnown(code) ? sentence(code, values) : detail}</Mark>
      {command !== undefined && (
        <div>
          {t('run')} <code>{command}</code> <CopyButton text={command} name={command} />
        </div>
      )}
      {setting !== undefined && (
        <div>
          {t('set')} <code>{setting}</code>
        </div>
      )}
    </li>
  )
}

/** A newer service may have more to say: its own sentence is shown then. */
function isKnown(code: string): code is keyof (typeof adviceTexts)['en'] {
  return Object.hasOwn(adviceTexts.en, code)
}
