import { useEffect, useRef } from 'react'
import { type Translate, useTexts } from '../../texts.ts'
import { AttemptNote } from '../../ui/attempt.tsx'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/download.tsx'
import { Mark } from '../../ui/facts.tsx'
import { Table, WideTable } from '../../ui/table.tsx'
import { keyCheckTexts } from '../texts.ts'
import { type FileCheck, type RowAnswer, rowsLeft } from './check-file.ts'
import { type KeyRow, type LineFault, type MalformedRow, type RowResult, reportOf } from './key-file.ts'
import { lineFaultTexts, manyTexts } from './texts.ts'

interface FileResultsProps {
  readonly rows: readonly KeyRow[]
  readonly malformed: readonly MalformedRow[]
  readonly check: FileCheck
  readonly isStarted: boolean
  readonly onRemove: () => void
}

/** Starts, cancels and goes on with the check of a file, and shows what came of it. */
export function FileResults({ rows, malformed, check, isStarted, onRemove }: FileResultsProps) {
  const t = useTexts(manyTexts)
  const reasonOf = useTexts(lineFaultTexts)
  const left = rowsLeft(rows, check.answers)
  const results = [
    ...rows.map((row) => resultOf(row, check.answers.get(row.line), t('notChecked'))),
    ...malformed.map((row) => malformedResult(row, reasonOf)),
  ]
  // The file never leaves the browser.
  const saveReport = () =>
    saveFile('key-check-report.csv', new Blob([reportOf(results)], { type: 'text/csv;charset=utf-8' }))
  const answered = results.filter(({ line }) => check.answers.has(line))
  return (
    <>
      {isStarted && <Progress results={answered} total={rows.length} isBusy={check.isBusy} />}
      <AttemptNote error={check.error} title={t('stopped')} />
      {check.retryAfterSeconds !== undefined && <p>{t('retryAfter', { seconds: check.retryAfterSeconds })}</p>}
      <div className="buttons">
        {check.isBusy ? (
          <Button onClick={check.cancel}>{t('cancel')}</Button>
        ) : (
          left.length > 0 && (
            <Button look="main" onClick={() => check.run(left)}>
              {t(isStarted ? 'goOn' : 'start', { count: left.length })}
            </Button>
          )
        )}
        {isStarted && !check.isBusy && <Button onClick={saveReport}>{t('report')}</Button>}
        <Button onClick={onRemove}>{t('remove')}</Button>
      </div>
      {isStarted && !check.isBusy && <p className="field-hint">{t('reportHint')}</p>}
      {isStarted && <ResultTable results={answered.filter(({ outcome }) => outcome !== 'valid')} />}
    </>
  )
}

interface ProgressProps {
  readonly results: readonly RowResult[]
  readonly total: number
  readonly isBusy: boolean
}

function Progress({ results, total, isBusy }: ProgressProps) {
  const t = useTexts(manyTexts)
  const region = useRef<HTMLElement>(null)
  // The button that started it is gone.
  useEffect(() => {
    region.current?.focus()
  }, [])
  const count = (outcome: RowResult['outcome']) => results.filter((one) => one.outcome === outcome).length
  const valid = count('valid')
  const invalid = count('invalid')
  return (
    <section ref={region} className="progress" tabIndex={-1} aria-label={t('progress')}>
      <progress aria-label={t('progress')} value={results.length} max={total} />
      {/* Announced at the end alone: a line for each key would drown everything else. */}
      <p role="status" aria-busy={isBusy}>
        {isBusy ? '' : t('done', { done: valid + invalid, total })}
      </p>
      <ul className="progress-counts">
        <li>
          <Mark tone="good">{t('valid', { count: valid })}</Mark>
        </li>
        <li>
          <Mark tone="bad">{t('invalid', { count: invalid })}</Mark>
        </li>
        <li>
          <Mark tone="unknown">{t('unknown', { count: count('undetermined') })}</Mark>
        </li>
      </ul>
    </section>
  )
}

function resultOf({ line, label, check }: KeyRow, answer: RowAnswer | undefined, notChecked: string): RowResult {
  const common = { line, label, provider: check.provider }
  if (answer?.verdict) {
    const { isValid, message } = answer.verdict
    return { ...common, outcome: isValid ? 'valid' : 'invalid', message }
  }
  return { ...common, outcome: 'undetermined', message: answer?.problem ? sentenceOf(answer.problem) : notChecked }
}

function sentenceOf({ detail, title, errors = [] }: NonNullable<RowAnswer['problem']>): string {
  return errors.length > 0 ? errors.map((one) => one.detail).join(' ') : (detail ?? title)
}

function malformedResult({ line, label, reason }: MalformedRow, reasonOf: Translate<LineFault>): RowResult {
  return { line, label, provider: '', outcome: 'undetermined', message: reasonOf(reason) }
}

const shownMax = 100

/** The results that need attention. */
function ResultTable({ results }: { readonly results: readonly RowResult[] }) {
  const t = useTexts(manyTexts)
  if (results.length === 0) return null
  return (
    <>
      <h2>{t('attention')}</h2>
      {results.length > shownMax && <p>{t('attentionMore', { shown: shownMax, count: results.length })}</p>}
      <WideTable name={t('attention')}>
        <Table
          rows={results.slice(0, shownMax)}
          keyOf={({ line }) => line}
          columns={[
            [t('line'), ({ line }) => line],
            [t('label'), ({ label }) => label || '–'],
            [t('provider'), ({ provider }) => provider],
            [t('result'), ({ outcome }) => <ResultMark outcome={outcome} />],
            [t('message'), ({ message }) => <span lang="en">{message}</span>],
          ]}
        />
      </WideTable>
    </>
  )
}

function ResultMark({ outcome }: Pick<RowResult, 'outcome'>) {
  const t = useTexts(keyCheckTexts)
  return outcome === 'invalid' ? <Mark tone="bad">{t('invalid')}</Mark> : <Mark tone="unknown">{t('unknown')}</Mark>
}
