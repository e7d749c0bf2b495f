import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { useAttempt } from '../ui/attempt.tsx'
import { Button, CopyId } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { FactList, Moment } from '../ui/facts.tsx'
import { Choice } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import {
  changeEndpoint,
  type Endpoint,
  type EndpointWithSecret,
  endpoints,
  removeEndpoint,
  rotateSecret,
} from './calls.ts'
import { Deliveries } from './deliveries.tsx'
import { EndpointForm, EndpointStatus, SecretNote } from './endpoint.tsx'
import { webhookTexts } from './texts.ts'
import './webhooks.css'

/** One endpoint: what it gets, what can be done with it, and what was sent to it. */
export function EndpointScreen() {
  const t = useTexts(webhookTexts)
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' })
  const list = useQuery(endpoints)
  const endpoint = list.data?.webhooks.find(({ id }) => id === webhookId)
  return (
    <>
      <p>
        <Link to="/webhooks">{t('back')}</Link>
      </p>
      <h1>{endpoint ? endpoint.host : t('title')}</h1>
      <Answer of={list} refusal={t('refused')}>
        {() =>
          endpoint ? (
            <>
              <Facts endpoint={endpoint} />
              <EndpointActions key={webhookId} endpoint={endpoint} />
              <Deliveries endpoint={endpoint} />
            </>
          ) : (
            <p className="note">{t('unknown')}</p>
          )
        }
      </Answer>
    </>
  )
}

function Facts({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useTexts(webhookTexts)
  return (
    <FactList
      facts={[
        [t('host'), <code key="host">{endpoint.host}</code>],
        ['Id', <CopyId key="id" id={endpoint.id} name="Id" />],
        [t('description'), endpoint.description],
        [t('status'), <EndpointStatus key="status" endpoint={endpoint} />],
        [t('events'), endpoint.events.join(', ')],
        [t('created'), <Moment key="created" at={endpoint.createdAt} />],
        [t('oldSecret'), endpoint.previousSecretUntil && <Moment at={endpoint.previousSecretUntil} />],
      ]}
    />
  )
}

interface OfEndpoint {
  readonly endpoint: Endpoint
}

/** What an administrator changes of one endpoint. */
function EndpointActions({ endpoint }: OfEndpoint) {
  const t = useTexts(webhookTexts)
  const attempt = useAttempt()
  const [isOpen, setIsOpen] = useState(false)
  const [made, setMade] = useState<EndpointWithSecret>()
  return (
    <>
      {made && <SecretNote made={made} onDone={() => setMade(undefined)} />}
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('changeRefused')} />}
      {isOpen ? (
        <EndpointForm
          endpoint={endpoint}
          action={t('save')}
          refusal={t('changeRefused')}
          onSave={async ({ url, ...change }) => {
            await changeEndpoint(endpoint.id, { ...change, ...(url !== '' && { url }) })
            setIsOpen(false)
            say(t('changed'))
          }}
          onClose={() => setIsOpen(false)}
        />
      ) : (
        <div className="buttons">
          <Button onClick={() => setIsOpen(true)}>{t('change')}</Button>
          <Switch endpoint={endpoint} run={attempt.run} isBusy={attempt.isBusy} />
          <Rotate endpoint={endpoint} onMade={setMade} />
          <Remove endpoint={endpoint} />
        </div>
      )}
    </>
  )
}

interface SwitchProps extends OfEndpoint {
  readonly run: (work: () => Promise<void>) => void
  readonly isBusy: boolean
}

/** Disables or enables it, and offers to undo that. */
function Switch({ endpoint, run, isBusy }: SwitchProps) {
  const t = useTexts(webhookTexts)
  const isOn = endpoint.status !== 'disabled'
  const { host } = endpoint
  const turn = async () => {
    await changeEndpoint(endpoint.id, { isEnabled: !isOn })
    const back = async () => void (await changeEndpoint(endpoint.id, { isEnabled: isOn }))
    say(t(isOn ? 'isDisabled' : 'isEnabled', { host }), { label: t('undo'), run: () => run(back) })
  }
  return (
    <Button look={isOn ? 'danger' : 'plain'} isBusy={isBusy} onClick={() => run(turn)}>
      {t(isOn ? 'disable' : 'enable')}
    </Button>
  )
}

const day = 86_400

function Rotate({ endpoint, onMade }: OfEndpoint & { readonly onMade: (made: EndpointWithSecret) => void }) {
  const t = useTexts(webhookTexts)
  const [isAsking, setIsAsking] = useState(false)
  const [overlap, setOverlap] = useState(day)
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{t('rotate')}</Button>
      <Confirm
        isOpen={isAsking}
        question={t('rotateQuestion', { host: endpoint.host })}
        action={t('rotate')}
        refusal={t('rotateRefused')}
        onConfirm={async () => onMade(await rotateSecret(endpoint.id, overlap))}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('rotateWhat')}</p>
        <Choice label={t('overlap')} value={overlap} onChange={({ target }) => setOverlap(Number(target.value))}>
          <option value={day}>{t('overlapDay')}</option>
          <option value={7 * day}>{t('overlapWeek')}</option>
          <option value={0}>{t('overlapNone')}</option>
        </Choice>
      </Confirm>
    </>
  )
}

function Remove({ endpoint }: OfEndpoint) {
  const t = useTexts(webhookTexts)
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const { host } = endpoint
  const remove = async () => {
    await removeEndpoint(endpoint.id)
    say(t('removed', { host }))
    await navigate({ to: '/webhooks' })
  }
  return (
    <>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        {t('remove')}
      </Button>
      <Confirm
        isOpen={isAsking}
        question={t('removeQuestion', { host })}
        action={t('remove')}
        typed={host}
        refusal={t('removeRefused')}
        onConfirm={remove}
        onClose={() => setIsAsking(false)}
      >
        {t('removeWhat')}
      </Confirm>
    </>
  )
}
