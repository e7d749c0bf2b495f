import { useState } from 'react'
import { defineTexts, useTexts } from '../texts.ts'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button, CopyId } from '../ui/button.tsx'
import { Mark, Moment, type Tone } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import type { Endpoint, EndpointWithSecret, NewEndpoint } from './calls.ts'
import { webhookTexts } from './texts.ts'

interface EndpointFormProps {
  /** The one that is changed; none for a new one. */
  readonly endpoint?: Endpoint
  readonly action: string
  /** What was not done, where it was refused. */
  readonly refusal: string
  /** `url` is empty if the address of an endpoint stays. */
  readonly onSave: (endpoint: NewEndpoint) => Promise<void>
  readonly onClose: () => void
}

/** Where events are sent, and which. */
export function EndpointForm({ endpoint, action, refusal, onSave, onClose }: EndpointFormProps) {
  const t = useTexts(webhookTexts)
  const attempt = useAttempt()
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [events, setEvents] = useState<ReadonlySet<EventType>>(new Set(endpoint?.events))
  const [isEmpty, setIsEmpty] = useState(false)
  const save = async () => {
    setIsEmpty(events.size === 0)
    if (events.size === 0) return
    const text = description.trim()
    await onSave({ url: url.trim(), events: [...events], ...(text !== '' && { description: text }) })
  }
  return (
    <form className="note" onSubmit={attempt.submit(save)}>
      <Field
        label={t('url')}
        hint={t(endpoint ? 'urlKept' : 'urlHint')}
        value={url}
        type="url"
        required={endpoint === undefined}
        autoFocus
        autoComplete="off"
        onType={setUrl}
      />
      <Field
        label={t('description')}
        hint={t('descriptionHint')}
        value={description}
        maxLength={200}
        autoComplete="off"
        onType={setDescription}
      />
      <EventChoice chosen={events} onChange={setEvents} />
      {isEmpty && (
        <p className="field-error" role="alert">
          {t('eventsMissing')}
        </p>
      )}
      <AttemptNote error={attempt.error} title={refusal} />
      <div className="buttons">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="main" isBusy={attempt.isBusy}>
          {action}
        </Button>
      </div>
    </form>
  )
}

interface EventChoiceProps {
  readonly chosen: ReadonlySet<EventType>
  readonly onChange: (chosen: ReadonlySet<EventType>) => void
}

/** The types of events by their names, each with what it means. */
function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const t = useTexts(webhookTexts)
  const meaning = useTexts(eventTexts)
  const toggle = (type: EventType) => {
    const next = new Set(chosen)
    if (!next.delete(type)) next.add(type)
    onChange(next)
  }
  return (
    <fieldset className="events">
      <legend>{t('events')}</legend>
      {eventTypes.map((type) => (
        <label key={type} className="check">
          <input type="checkbox" checked={chosen.has(type)} onChange={() => toggle(type)} />
          <span>
            <code>{type}</code> {meaning(type)}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const tones: Readonly<Record<Endpoint['status'], Tone>> = { enabled: 'good', failing: 'warning', disabled: 'neutral' }

const reasons = { administrator: 'administrator', gone: 'gone', failing: 'failingThreeDays' } as const

/** Whether it gets events; if not, since when and why. */
export function EndpointStatus({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useTexts(webhookTexts)
  const { status, failingSince, disabledAt, disabledBecause } = endpoint
  const since = disabledAt ?? failingSince
  return (
    <>
      <Mark tone={tones[status]}>{t(status)}</Mark>
      {since !== undefined && (
        <>
          {' '}
          {t('since')} <Moment at={since} />
        </>
      )}
      {disabledBecause !== undefined && `, ${t(reasons[disabledBecause])}`}
    </>
  )
}

/** How sentences name a new endpoint. The rest of its address may be a secret of the receiver. */
export function hostOf({ url }: Pick<NewEndpoint, 'url'>): string {
  return URL.canParse(url) ? new URL(url).host : url
}

interface SecretNoteProps {
  readonly made: EndpointWithSecret
  readonly onDone: () => void
}

/** A new signing secret, which the service shows once. It is in the memory of this screen until it is left. */
export function SecretNote({ made, onDone }: SecretNoteProps) {
  const t = useTexts(webhookTexts)
  return (
    <div className="note note-warning" role="status">
      <p>{t('secretOnce', { host: hostOf(made) })}</p>
      <p>
        <CopyId id={made.secret} name={t('secret')} />
      </p>
      <Button onClick={onDone}>{t('secretDone')}</Button>
    </div>
  )
}

type EventType = NewEndpoint['events'][number]

/** What each type of event tells. The compiler holds the keys to the contract. */
const eventTexts = defineTexts<EventType>({
  'user.created': ['An account was created.', 'Ein Konto wurde angelegt.'],
  'user.updated': [
    'Its address, the proof of it or its role changed.',
    'Seine Adresse, deren Bestätigung oder seine Rolle hat sich geändert.',
  ],
  'user.disabled': [
    'An account was disabled, also because it is to be erased.',
    'Ein Konto wurde gesperrt, auch weil es gelöscht werden soll.',
  ],
  'user.enabled': [
    'A disabled account was enabled again, or kept.',
    'Ein gesperrtes Konto wurde entsperrt oder behalten.',
  ],
  'user.deleted': ['An account was erased.', 'Ein Konto wurde gelöscht.'],
  'subscription.changed': [
    'A subscription began, or its status, price or owner changed.',
    'Ein Abonnement begann, oder sein Zustand, Preis oder Inhaber hat sich geändert.',
  ],
  'organization.created': ['An organisation was created.', 'Eine Organisation wurde angelegt.'],
  'organization.updated': [
    'Its name changed, or whether it requires a second factor.',
    'Ihr Name hat sich geändert, oder ob sie einen zweiten Faktor verlangt.',
  ],
  'organization.deleted': [
    'An organisation was deleted, with its members and invitations.',
    'Eine Organisation wurde gelöscht, mit ihren Mitgliedern und Einladungen.',
  ],
  'organization.member_added': ['An account became a member.', 'Ein Konto wurde Mitglied.'],
  'organization.member_changed': ['The role of a member changed.', 'Die Rolle eines Mitglieds hat sich geändert.'],
  'organization.member_removed': [
    'A member left, was removed or was erased.',
    'Ein Mitglied ging, wurde entfernt oder gelöscht.',
  ],
  'organization.invitation_added': ['An invitation was created.', 'Eine Einladung wurde angelegt.'],
  'organization.invitation_changed': [
    'An invitation was declined, or sent again.',
    'Eine Einladung wurde abgelehnt oder noch einmal gesendet.',
  ],
  'organization.invitation_removed': [
    'An invitation was accepted or revoked, or has expired.',
    'Eine Einladung wurde angenommen, widerrufen oder ist abgelaufen.',
  ],
})

/** In the order of the documentation. */
// The keys of a constant are its names.
const eventTypes = Object.keys(eventTexts) as readonly EventType[]
