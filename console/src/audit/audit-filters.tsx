import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import type { AuditSearch } from './search.ts'
import { auditTexts } from './texts.ts'

interface AuditFiltersProps {
  readonly filters: AuditSearch
  readonly onApply: (filters: AuditSearch) => void
}

export function AuditFilters({ filters, onApply }: AuditFiltersProps) {
  const t = useTexts(auditTexts)
  const [typed, setTyped] = useState({
    action: filters.action ?? '',
    actorId: filters.actorId ?? '',
    targetId: filters.targetId ?? '',
    since: localTime(filters.since),
    until: localTime(filters.until),
  })
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setTyped({ ...typed, [name]: target.value }),
  })
  const apply = () => {
    const { since, until, ...others } = typed
    const all = { ...others, since: instant(since), until: instant(until) }
    onApply(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')))
  }
  return (
    <form
      className="audit-filters"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <Field label={t('action')} type="search" hint={t('actionHint')} {...field('action')} />
      <Field label={t('actor')} {...field('actorId')} />
      <Field label={t('target')} {...field('targetId')} />
      <Field label={t('since')} type="datetime-local" {...field('since')} />
      <Field label={t('until')} type="datetime-local" {...field('until')} />
      <div className="buttons">
        <Button type="submit" look="main">
          {t('apply')}
        </Button>
        {Object.keys(filters).length > 0 && <Button onClick={() => onApply({})}>{t('clear')}</Button>}
      </div>
    </form>
  )
}

/** A time of the form's input, in the reader's zone, as the contract has it: RFC 3339. */
function instant(local: string): string {
  return local === '' ? '' : new Date(local).toISOString()
}

function localTime(at: string | undefined): string {
  const date = new Date(at ?? '')
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
