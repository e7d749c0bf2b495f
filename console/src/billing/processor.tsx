import { useTexts } from '../texts/texts.ts'
import { FactList } from '../ui/fact-list.tsx'
import { Mark } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import type { BillingStatus, ProcessorStatus } from './calls.ts'
import { billingTexts } from './texts.ts'

interface ProcessorProps {
  readonly processor: ProcessorStatus
  readonly status: BillingStatus
}

/** One payment processor: whether it is connected, and what its last reconciliation found. */
export function Processor({ processor, status }: ProcessorProps) {
  const t = useTexts(billingTexts)
  const { title, missingSettings, reconciles, lastSyncAt, lastReport } = processor
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <FactList
        facts={[
          [
            t('state'),
            missingSettings.length === 0 ? (
              <Mark tone="good">{t('ready')}</Mark>
            ) : (
              <Mark tone="warning">{t('halfReady', { names: missingSettings.join(', ') })}</Mark>
            ),
          ],
          [t('lastSync'), reconciles ? <LastSync {...processor} isSyncing={status.isSyncing} /> : t('noApi')],
          [t('compared'), lastSyncAt && lastReport?.checked],
          [t('repaired'), lastReport?.repaired.count],
          [t('linked'), lastReport?.linked.count],
          [t('unknown'), lastReport?.unknown.count],
        ]}
      />
      <Drift processor={processor} />
    </section>
  )
}

/** A failure is shown where nothing was finished after it. */
function LastSync({ lastSyncAt, lastFailureAt, lastFailure, isSyncing }: ProcessorStatus & { isSyncing: boolean }) {
  const t = useTexts(billingTexts)
  const hasFailed = lastFailureAt !== undefined && (lastSyncAt === undefined || lastFailureAt > lastSyncAt)
  return (
    <>
      <div>{lastSyncAt === undefined ? t('neverSynced') : <Moment at={lastSyncAt} />}</div>
      {isSyncing && <Mark tone="neutral">{t('syncing')}</Mark>}
      {hasFailed && lastFailure !== undefined && !isSyncing && <Failure at={lastFailureAt} cause={lastFailure} />}
    </>
  )
}

const causes = ['processor_unavailable', 'processor_refused', 'interrupted', 'database_unavailable'] as const

function Failure({ at, cause }: { readonly at: string; readonly cause: string }) {
  const t = useTexts(billingTexts)
  const known = causes.find((one) => one === cause)
  return (
    <Mark tone="bad">
      {t('failed')} <Moment at={at} />: {known ? t(known) : t('otherCause', { code: cause })}
    </Mark>
  )
}

/** What the last run repaired, and what it found and left alone. */
function Drift({ processor: { title, lastReport } }: { readonly processor: ProcessorStatus }) {
  const t = useTexts(billingTexts)
  if (lastReport === undefined || lastReport.repaired.count + lastReport.unknown.count === 0) return null
  const { repaired, unknown } = lastReport
  return (
    <details className="drift">
      <summary>{t('drift', { processor: title })}</summary>
      {repaired.count > 0 && (
        <>
          <p>{t('repairedWhat')}</p>
          <ul>
            {repaired.first.map(({ id, changes }) => (
              <li key={id}>
                <code>{id}</code> {changes.join('; ')}
              </li>
            ))}
            <More shown={repaired.first.length} count={repaired.count} />
          </ul>
        </>
      )}
      {unknown.count > 0 && (
        <>
          <p>{t('unknownWhat', { processor: title })}</p>
          <ul>
            {unknown.first.map((id) => (
              <li key={id}>
                <code>{id}</code>
              </li>
            ))}
            <More shown={unknown.first.length} count={unknown.count} />
          </ul>
        </>
      )}
    </details>
  )
}

function More({ shown, count }: { readonly shown: number; readonly count: number }) {
  const t = useTexts(billingTexts)
  return count > shown ? <li>{t('andMore', { count: count - shown })}</li> : null
}
