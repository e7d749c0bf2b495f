import { useId } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Mark } from '../../ui/mark.tsx'
import type { KeyRow, MalformedRow } from './key-file.ts'
import { lineFaultTexts, manyTexts } from './texts.ts'
import { WideTable } from './wide-table.tsx'

const previewMax = 5
const malformedMax = 20

interface PreviewProps {
  readonly rows: readonly KeyRow[]
  readonly malformed: readonly MalformedRow[]
}

/** What was read of the file. No key is shown. */
export function Preview({ rows, malformed }: PreviewProps) {
  const t = useTexts(manyTexts)
  return (
    <>
      <p>
        <Mark tone={rows.length > 0 ? 'good' : 'warning'}>{t('ready', { count: rows.length })}</Mark>
      </p>
      {malformed.length > 0 && <Malformed malformed={malformed} />}
      {rows.length > 0 && (
        <>
          <h2>{t('preview')}</h2>
          <WideTable name={t('preview')} columns={[t('line'), t('label'), t('providerName'), t('keyType')]}>
            {rows.slice(0, previewMax).map(({ line, label, check }) => (
              <tr key={line}>
                <td>{line}</td>
                <td>{label || '–'}</td>
                <td>{check.provider}</td>
                <td>
                  <code>{check.keyType}</code>
                </td>
              </tr>
            ))}
          </WideTable>
        </>
      )}
    </>
  )
}

function Malformed({ malformed }: Pick<PreviewProps, 'malformed'>) {
  const t = useTexts(manyTexts)
  const reasonOf = useTexts(lineFaultTexts)
  const heading = useId()
  return (
    <section className="note note-warning" aria-labelledby={heading}>
      <p className="note-title" id={heading}>
        {t('malformed', { count: malformed.length })}
      </p>
      <ul>
        {malformed.slice(0, malformedMax).map(({ line, reason }) => (
          <li key={line}>
            {t('line')} {line}: {reasonOf(reason)}
          </li>
        ))}
      </ul>
      {malformed.length > malformedMax && <p>{t('andMore', { count: malformed.length - malformedMax })}</p>}
    </section>
  )
}
