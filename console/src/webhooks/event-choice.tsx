import { useTexts } from '../texts/texts.ts'
import { type EventType, eventTexts, eventTypes } from './event-texts.ts'
import { webhookTexts } from './texts.ts'

interface EventChoiceProps {
  readonly chosen: ReadonlySet<EventType>
  readonly onChange: (chosen: ReadonlySet<EventType>) => void
}

/** The types of events by their names, each with what it means. */
export function EventChoice({ chosen, onChange }: EventChoiceProps) {
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
