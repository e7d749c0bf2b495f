import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { Mark, Moment, type Tone } from '../ui/facts.tsx'
import { Choice } from '../ui/field.tsx'
import { Table } from '../ui/table.tsx'
import { say } from '../ui/toast.tsx'
import {
  type DeliveriesSearch,
  type Delivery,
  deliveries,
  deliveryStates,
  type Endpoint,
  replayFailed,
  replayOne,
  sendTest,
} from './calls.ts'
import { webhookTexts } from './texts.ts'

/** What was sent to an endpoint, newest first, and what came of it. The filter and the page stand in the address. */
export function Deliveries({ endpoint: { id: webhookId, status } }: { readonly endpoint: Endpoint }) {
  const t = useTexts(webhookTexts)
  const search = useSearch({ from: '/webhooks/$webhookId' })
  const navigate = useNavigate()
  const attempt = useAttempt()
  const page = useQuery({ ...deliveries(webhookId, search), placeholderData: keepPreviousData })
  const open = (next: DeliveriesSearch) =>
    void navigate({ to: '/webhooks/$webhookId', params: { webhookId }, search: next })
  const test = async () => {
    await sendTest(webhookId)
    say(t('testSent'))
  }
  const isOn = status !== 'disabled'
  return (
    <>
      <h2>{t('deliveries')}</h2>
      <Choice
        label={t('show')}
        value={search.state ?? ''}
        onType={(value) => {
          const state = deliveryStates.find((one) => one === value)
          open(state ? { state } : {})
        }}
      >
        <option value="">{t('all')}</option>
        {deliveryStates.map((state) => (
          <option key={state} value={state}>
            {t(state)}
          </option>
        ))}
      </Choice>
      {isOn && (
        <div className="buttons">
          <Button isBusy={attempt.isBusy} onClick={() => attempt.run(test)}>
            {t('test')}
          </Button>
          <ReplayFailed webhookId={webhookId} />
        </div>
      )}
      <AttemptNote error={attempt.error} title={t('testRefused')} />
      <Answer of={page} refusal={t('deliveriesRefused')}>
        {({ deliveries: list, next, prev }) => (
          <>
            {list.length === 0 ? (
              <p className="empty">{t(search.state ? 'deliveriesNoneOf' : 'deliveriesNone')}</p>
            ) : (
              <DeliveryTable list={list} webhookId={webhookId} isOn={isOn} />
            )}
            <nav className="buttons" aria-label={t('deliveries')}>
              {prev !== undefined && <Button onClick={() => open({ ...search, cursor: prev })}>{t('previous')}</Button>}
              {next !== undefined && <Button onClick={() => open({ ...search, cursor: next })}>{t('next')}</Button>}
            </nav>
          </>
        )}
      </Answer>
    </>
  )
}

interface DeliveryTableProps {
  readonly list: readonly Delivery[]
  readonly webhookId: string
  /** To one that is disabled nothing is sent again. */
  readonly isOn: boolean
}

const deliveryTones: Readonly<Record<Delivery['state'], Tone>> = {
  pending: 'neutral',
  delivered: 'good',
  failed: 'bad',
}

function DeliveryTable({ list, webhookId, isOn }: DeliveryTableProps) {
  const t = useTexts(webhookTexts)
  const attempt = useAttempt()
  const replay = async (deliveryId: string) => {
    await replayOne(webhookId, deliveryId)
    say(t('replayed'))
  }
  const button = ({ id, type, eventId }: Delivery) => (
    <Button
      aria-label={t('replayNamed', { event: type, id: eventId })}
      isBusy={attempt.isBusy}
      onClick={() => attempt.run(() => replay(id))}
    >
      {t('replay')}
    </Button>
  )
  return (
    <>
      <AttemptNote error={attempt.error} title={t('replayRefused')} />
      <Table
        rows={list}
        keyOf={({ id }) => id}
        columns={[
          [t('when'), ({ createdAt }) => <Moment at={createdAt} />],
          [t('event'), ({ type }) => <code>{type}</code>],
          [t('about'), ({ subject }) => subject, 'wrap'],
          [t('state'), ({ state }) => <Mark tone={deliveryTones[state]}>{t(state)}</Mark>],
          [t('tries'), ({ tries }) => tries],
          [t('answer'), (delivery) => <LastTry delivery={delivery} />],
          ['', (delivery) => isOn && button(delivery)],
        ]}
      />
    </>
  )
}

/** The status of the answer, or why there was none, and when it is tried again. */
function LastTry({ delivery: { state, status, fault, triedAt, nextAt } }: { readonly delivery: Delivery }) {
  const t = useTexts(webhookTexts)
  if (triedAt === undefined) return t('notTried')
  return (
    <>
      {status ?? <code>{fault}</code>} <Moment at={triedAt} />
      {state === 'pending' && nextAt !== undefined && (
        <>
          , {t('nextTry')} <Moment at={nextAt} />
        </>
      )}
    </>
  )
}

const hourMs = 3_600_000

/** Sends again all that has failed, after a receiver was down. */
function ReplayFailed({ webhookId }: { readonly webhookId: string }) {
  const t = useTexts(webhookTexts)
  const [hours, setHours] = useState(24)
  const replay = async () => {
    const since = new Date(Date.now() - hours * hourMs).toISOString()
    say(t('replayedAll', { count: await replayFailed(webhookId, since) }))
  }
  return (
    <ConfirmButton
      question={`${t('replayAll')}?`}
      action={t('replayAll')}
      refusal={t('replayRefused')}
      onConfirm={replay}
    >
      <Choice label={t('replaySince')} value={hours} onType={(chosen) => setHours(Number(chosen))}>
        <option value={24}>{t('hours24')}</option>
        <option value={72}>{t('days3')}</option>
        <option value={720}>{t('days30')}</option>
      </Choice>
    </ConfirmButton>
  )
}
