import { useTexts } from '../../texts/texts.ts'
import { Mark } from '../../ui/mark.tsx'
import { keyCheckTexts } from '../texts.ts'
import type { RowResult } from './report.ts'
import { manyTexts } from './texts.ts'
import { WideTable } from './wide-table.tsx'

const shownMax = 100

/** The results that need attention. */
export function ResultTable({ results }: { readonly results: readonly RowResult[] }) {
  const t = useTexts(manyTexts)
  const word = useTexts(keyCheckTexts)
  if (results.length === 0) return null
  return (
    <>
      <h2>{t('attention')}</h2>
      {results.length > shownMax && <p>{t('attentionMore', { shown: shownMax, count: results.length })}</p>}
      <WideTable name={t('attention')} columns={[t('line'), t('label'), t('providerName'), t('result'), t('message')]}>
        {results.slice(0, shownMax).map(({ line, label, provider, outcome, message }) => (
          <tr key={line}>
            <td>{line}</td>
            <td>{label || '–'}</td>
            <td>{provider}</td>
            <td>
              {outcome === 'invalid' ? (
                <Mark tone="bad">{word('invalid')}</Mark>
              ) : (
                <Mark tone="unknown">{word('unknown')}</Mark>
              )}
            </td>
            <td lang="en">{message}</td>
          </tr>
        ))}
      </WideTable>
    </>
  )
}
