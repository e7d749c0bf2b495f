import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { type Attempt, AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button, CopyId } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { FactList, Moment } from '../ui/facts.tsx'
import { Choice } from '../ui/field.tsx'
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
      <AttemptNote error={attempt.error} title={t('changeRefused')} />
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
          <Switch endpoint={endpoint} attempt={attempt} />
          <Rotate endpoint={endpoint} onMade={setMade} />
          <Remove endpoint={endpoint} />
        </div>
      )}
    </>
  )
}

/** Disables or enables it, and offers to undo that. */
function Switch({ endpoint: { id, host, status }, attempt }: OfEndpoint & { readonly attempt: Attempt }) {
  const t = useTexts(webhookTexts)
  const isOn = status !== 'disabled'
  const turn = async () => {
    await changeEndpoint(id, { isEnabled: !isOn })
    const back = () => attempt.run(() => changeEndpoint(id, { isEnabled: isOn }))
    say(t(isOn ? 'isDisabled' : 'isEnabled', { host }), { label: t('undo'), run: back })
  }
  return (
    <Button look={isOn ? 'danger' : 'plain'} isBusy={attempt.isBusy} onClick={() => attempt.run(turn)}>
      {t(isOn ? 'disable' : 'enable')}
    </Button>
  )
}

const day = 86_400

function Rotate({ endpoint, onMade }: OfEndpoint & { readonly onMade: (made: EndpointWithSecret) => void }) {
  const t = useTexts(webhookTexts)
  const [overlap, setOverlap] = useState(day)
  return (
    <ConfirmButton
      question={t('rotateQuestion', { host: endpoint.host })}
      action={t('rotate')}
      refusal={t('rotateRefused')}
      onConfirm={async () => onMade(await rotateSecret(endpoint.id, overlap))}
    >
      <p>{t('rotateWhat')}</p>
      <Choice label={t('overlap')} value={overlap} onType={(seconds) => setOverlap(Number(seconds))}>
        <option value={day}>{t('overlapDay')}</option>
        <option value={7 * day}>{t('overlapWeek')}</option>
        <option value={0}>{t('overlapNone')}</option>
      </Choice>
    </ConfirmButton>
  )
}

function Remove({ endpoint: { id, host } }: OfEndpoint) {
  const t = useTexts(webhookTexts)
  const navigate = useNavigate()
  const remove = async () => {
    await removeEndpoint(id)
    say(t('removed', { host }))
    await navigate({ to: '/webhooks' })
  }
  return (
    <ConfirmButton
      look="danger"
      question={t('removeQuestion', { host })}
      action={t('remove')}
      typed={host}
      refusal={t('removeRefused')}
      onConfirm={remove}
    >
      {t('removeWhat')}
    </ConfirmButton>
  )
}
