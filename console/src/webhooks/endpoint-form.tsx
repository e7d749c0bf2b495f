import { type FormEvent, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import type { Endpoint, NewEndpoint } from './calls.ts'
import { EventChoice } from './event-choice.tsx'
import type { EventType } from './event-texts.ts'
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsEmpty(events.size === 0)
    if (events.size === 0) return
    const text = description.trim()
    attempt.run(() => onSave({ url: url.trim(), events: [...events], ...(text !== '' && { description: text }) }))
  }
  return (
    <form className="note" onSubmit={submit}>
      <Field
        label={t('url')}
        hint={t(endpoint ? 'urlKept' : 'urlHint')}
        value={url}
        type="url"
        required={endpoint === undefined}
        autoFocus
        autoComplete="off"
        onChange={({ target }) => setUrl(target.value)}
      />
      <Field
        label={t('description')}
        hint={t('descriptionHint')}
        value={description}
        maxLength={200}
        autoComplete="off"
        onChange={({ target }) => setDescription(target.value)}
      />
      <EventChoice chosen={events} onChange={setEvents} />
      {isEmpty && (
        <p className="field-error" role="alert">
          {t('eventsMissing')}
        </p>
      )}
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={refusal} />}
      <div className="buttons">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="main" isBusy={attempt.isBusy}>
          {action}
        </Button>
      </div>
    </form>
  )
}
