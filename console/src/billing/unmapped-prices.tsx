import type { Schemas } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { reading } from '../session/reading.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button, CopyId } from '../ui/button.tsx'
import { Mark } from '../ui/facts.tsx'
import { Permitted } from '../ui/permitted.tsx'
import { Table } from '../ui/table.tsx'
import { say } from '../ui/toast.tsx'
import { mapPrice, unmapPrice } from './calls.ts'
import { billingTexts } from './texts.ts'

type Price = Schemas['UnmappedPrice']
type Plan = Schemas['ListedPlan']

interface UnmappedPricesProps {
  readonly prices: readonly Price[]
  readonly hasMore: boolean
  readonly isUsed: boolean
}

/** Prices that are paid and that mean no plan here. */
export function UnmappedPrices({ prices, hasMore, isUsed }: UnmappedPricesProps) {
  const t = useTexts(billingTexts)
  if (prices.length === 0 && !isUsed) return null
  return (
    <section aria-label={t('unmapped')}>
      <h2>{t('unmapped')}</h2>
      <p>{prices.length === 0 ? <Mark tone="good">{t('unmappedNone')}</Mark> : t('unmappedWhat')}</p>
      {prices.length > 0 && <Prices prices={prices} />}
      {hasMore && <p className="field-hint">{t('onlyFirst', { command: 'muster plans unmapped' })}</p>}
    </section>
  )
}

function Prices({ prices }: Pick<UnmappedPricesProps, 'prices'>) {
  const t = useTexts(billingTexts)
  return (
    <Table
      rows={prices}
      keyOf={({ id }) => id}
      columns={[
        [t('price'), ({ id }) => <CopyId id={id} name={t('price')} />, 'title'],
        [t('product'), ({ productName }) => productName ?? '–'],
        [t('subscriptions'), ({ subscriptions }) => subscriptions],
        [
          t('plan'),
          (price) => (
            <Permitted resource="subscriptions" action="manage">
              <Mapping price={price} />
            </Permitted>
          ),
        ],
      ]}
    />
  )
}

/** The choice of a plan. It is undone by one click, so nothing is asked before. */
function Mapping({ price }: { readonly price: Price }) {
  const t = useTexts(billingTexts)
  const attempt = useAttempt()
  const [planId, setPlanId] = useState('')
  const listed = useQuery(reading(['plans'], (signal) => muster.GET('/api/v1/admin/plans', { signal })))
  const map = async (plans: readonly Plan[]) => {
    await mapPrice(price.id, planId)
    const plan = plans.find(({ id }) => id === planId)?.name ?? planId
    say(t('mapped', { price: price.id, plan }), {
      label: t('undo'),
      run: () => attempt.run(() => unmapPrice(price.id)),
    })
  }
  return (
    <Answer of={listed} refusal={t('plansRefused')}>
      {({ plans }) => (
        <>
          <div className="row-actions">
            <select
              aria-label={t('choosePlan', { price: price.id })}
              value={planId}
              onChange={({ target }) => setPlanId(target.value)}
            >
              <option value="">{t('choose')}</option>
              {plans.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
            <Button disabled={planId === ''} isBusy={attempt.isBusy} onClick={() => attempt.run(() => map(plans))}>
              {t('map')}
            </Button>
          </div>
          <AttemptNote error={attempt.error} title={t('mapRefused')} />
        </>
      )}
    </Answer>
  )
}
