import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { FactList, Mark, Moment } from '../ui/facts.tsx'
import { Permitted } from '../ui/permitted.tsx'
import { say } from '../ui/toast.tsx'
import { type BillingStatus, type ProcessorStatus, startSync, useBilling } from './calls.ts'
import { UnconfirmedCustomers, WaitingCustomers } from './customers.tsx'
import { billingTexts } from './texts.ts'
import { UnmappedPrices } from './unmapped-prices.tsx'
import './billing.css'

/** The payment processors, and what waits for a decision of the administrator. */
export function BillingScreen() {
  const t = useTexts(billingTexts)
  const billing = useBilling()
  return (
    <>
      <h1>{t('title')}</h1>
      <Answer of={billing} refusal={t('refused')}>
        {(status) => (
          <>
            {status.processors.length === 0 ? <NoProcessor /> : <Processors status={status} />}
            <UnconfirmedCustomers {...status.unconfirmed} isUsed={status.processors.length > 0} />
            <WaitingCustomers {...status.waiting} isUsed={status.processors.length > 0} />
            <UnmappedPrices {...status.unmapped} isUsed={status.processors.length > 0} />
          </>
        )}
      </Answer>
    </>
  )
}

function NoProcessor() {
  const t = useTexts(billingTexts)
  return (
    <div className="empty">
      <p>
        <strong>{t('none')}</strong>
      </p>
      <p>{t('noneWhat')}</p>
      <p>
        <code>STRIPE_WEBHOOK_SECRET</code> · <code>STRIPE_SECRET_KEY</code>
      </p>
    </div>
  )
}

function Processors({ status }: { readonly status: BillingStatus }) {
  const t = useTexts(billingTexts)
  const attempt = useAttempt()
  const start = async () => {
    await startSync()
    say(t('started'))
  }
  return (
    <>
      <p>
        {t('intro')} {status.syncHours === 0 ? t('byHandOnly') : t('every', { hours: status.syncHours })}
      </p>
      <p>
        {status.lastEventAt === undefined ? (
          t('noEvents')
        ) : (
          <>
            {t('events')} <Moment at={status.lastEventAt} />.
          </>
        )}
      </p>
      {status.processors.map((processor) => (
        <Processor key={processor.id} processor={processor} status={status} />
      ))}
      <AttemptNote error={attempt.error} title={t('startRefused')} />
      {status.processors.some(({ reconciles }) => reconciles) && (
        <Permitted resource="subscriptions" action="manage">
          <Button isBusy={attempt.isBusy || status.isSyncing} onClick={() => attempt.run(start)}>
            {t('start')}
          </Button>
        </Permitted>
      )}
    </>
  )
}

interface ProcessorProps {
  readonly processor: ProcessorStatus
  readonly status: BillingStatus
}

/** One payment processor: whether it is connected, and what its last reconciliation found. */
function Processor({ processor, status }: ProcessorProps) {
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
