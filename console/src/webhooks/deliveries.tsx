import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Mark, Moment, type Tone } from '../ui/facts.tsx'
import { Choice } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
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
        onChange={({ target }) => {
          const state = deliveryStates.find((one) => one === target.value)
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
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('testRefused')} />}
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

const tones: Readonly<Record<Delivery['state'], Tone>> = { pending: 'neutral', delivered: 'good', failed: 'bad' }

function DeliveryTable({ list, webhookId, isOn }: DeliveryTableProps) {
  const t = useTexts(webhookTexts)
  const attempt = useAttempt()
  const replay = async (deliveryId: string) => {
    await replayOne(webhookId, deliveryId)
    say(t('replayed'))
  }
  return (
    <>
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('replayRefused')} />}
      <table>
        <thead>
          <tr>
            <th scope="col">{t('when')}</th>
            <th scope="col">{t('event')}</th>
            <th scope="col">{t('about')}</th>
            <th scope="col">{t('state')}</th>
            <th scope="col">{t('tries')}</th>
            <th scope="col">{t('answer')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {list.map((delivery) => (
            <tr key={delivery.id}>
              <td data-label={t('when')}>
                <Moment at={delivery.createdAt} />
              </td>
              <td data-label={t('event')}>
                <code>{delivery.type}</code>
              </td>
              <td data-label={t('about')} className="wrap">
                {delivery.subject}
              </td>
              <td data-label={t('state')}>
                <Mark tone={tones[delivery.state]}>{t(delivery.state)}</Mark>
              </td>
              <td data-label={t('tries')}>{delivery.tries}</td>
              <td data-label={t('answer')}>
                <LastTry delivery={delivery} />
              </td>
              <td>
                {isOn && (
                  <Button
                    aria-label={t('replayNamed', { event: delivery.type, id: delivery.eventId })}
                    isBusy={attempt.isBusy}
                    onClick={() => attempt.run(() => replay(delivery.id))}
                  >
                    {t('replay')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
  const [isAsking, setIsAsking] = useState(false)
  const [hours, setHours] = useState(24)
  const replay = async () => {
    const since = new Date(Date.now() - hours * hourMs).toISOString()
    say(t('replayedAll', { count: await replayFailed(webhookId, since) }))
  }
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{t('replayAll')}</Button>
      <Confirm
        isOpen={isAsking}
        question={`${t('replayAll')}?`}
        action={t('replayAll')}
        refusal={t('replayRefused')}
        onConfirm={replay}
        onClose={() => setIsAsking(false)}
      >
        <Choice label={t('replaySince')} value={hours} onChange={({ target }) => setHours(Number(target.value))}>
          <option value={24}>{t('hours24')}</option>
          <option value={72}>{t('days3')}</option>
          <option value={720}>{t('days30')}</option>
        </Choice>
      </Confirm>
    </>
  )
}
