import { RequirePermission } from '@muster/react'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/moment.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import './billing.css'
import { type BillingStatus, startSync } from './calls.ts'
import { UnconfirmedCustomers, WaitingCustomers } from './customers.tsx'
import { Processor } from './processor.tsx'
import { billingTexts } from './texts.ts'
import { UnmappedPrices } from './unmapped-prices.tsx'
import { useBilling } from './use-billing-used.ts'

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
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('startRefused')} />}
      {status.processors.some(({ reconciles }) => reconciles) && (
        <RequirePermission
          resource="subscriptions"
          action="manage"
          fallback={<p className="field-hint">{t('missing', { permission: 'subscriptions:manage' })}</p>}
        >
          <Button isBusy={attempt.isBusy || status.isSyncing} onClick={() => attempt.run(start)}>
            {t('start')}
          </Button>
        </RequirePermission>
      )}
    </>
  )
}
