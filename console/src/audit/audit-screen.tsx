import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useLanguage, useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button, CopyButton } from '../ui/button.tsx'
import { Download } from '../ui/download.tsx'
import { Moment } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { Table } from '../ui/table.tsx'
import { type AuditEvent, type AuditSearch, exportTrail, readTrail } from './calls.ts'
import { auditTexts } from './texts.ts'
import './audit.css'

/** The audit trail, a page at a time. The filters stand in the address, so that a link shows the same events. */
export function AuditScreen() {
  const t = useTexts(auditTexts)
  const search = useSearch({ from: '/audit' })
  const navigate = useNavigate()
  const { cursor, live, ...filters } = search
  // Older pages do not change.
  const isLive = live !== undefined && cursor === undefined
  const trail = useQuery({
    queryKey: ['audit', { ...filters, cursor }],
    queryFn: ({ signal }) => readTrail(search, signal),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && liveMs,
  })
  const isFiltered = Object.keys(filters).length > 0
  const open = (next: AuditSearch) => void navigate({ to: '/audit', search: next })
  const watched = live === undefined ? {} : { live }
  return (
    <>
      <h1>{t('title')}</h1>
      <p>{t('intro')}</p>
      <AuditFilters key={JSON.stringify(filters)} filters={filters} onApply={(next) => open({ ...next, ...watched })} />
      <div className="audit-tools">
        <Button
          aria-pressed={isLive}
          onClick={() => open({ ...filters, ...(isLive ? {} : { live: 'true' as const }) })}
        >
          {isLive ? t('pause') : t('live')}
        </Button>
        <Download name="audit.ndjson" action={t('exportAll')} read={(watch) => exportTrail(filters, watch)} />
      </div>
      <Answer of={trail} refusal={t('refused')}>
        {({ events, next, keptSince }) => (
          <>
            {events.length === 0 ? (
              <p className="empty">{isFiltered ? t('none') : t('noneAtAll')}</p>
            ) : (
              <Events {...{ events, isLive }} isOld={trail.isPlaceholderData} listKey={JSON.stringify(search)} />
            )}
            {next === undefined && <Kept since={keptSince} />}
            <div className="buttons">
              {cursor !== undefined && <Button onClick={() => open({ ...filters, ...watched })}>{t('newest')}</Button>}
              {next !== undefined && (
                <Button onClick={() => open({ ...filters, ...watched, cursor: next })}>{t('older')}</Button>
              )}
            </div>
          </>
        )}
      </Answer>
    </>
  )
}

/** At the end of the trail: why there is nothing older. */
function Kept({ since }: { readonly since: string | undefined }) {
  const t = useTexts(auditTexts)
  const language = useLanguage()
  if (since === undefined) return <p className="field-hint">{t('keptForEver')}</p>
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(since))
  return <p className="field-hint">{t('kept', { date })}</p>
}

interface EventsProps {
  readonly events: readonly AuditEvent[]
  readonly isOld: boolean
  readonly isLive: boolean
  /** Which list it is. */
  readonly listKey: string
}

function Events({ events, isOld, isLive, listKey }: EventsProps) {
  const t = useTexts(auditTexts)
  const added = useNew(events, listKey)
  return (
    <>
      <p className="audit-state">
        <span role="status">{isLive && (added.size > 0 ? t('added', { count: added.size }) : t('watching'))}</span>{' '}
        <CopyButton text={JSON.stringify(events, null, 2)} name={t('copyPage')} />
      </p>
      <Table
        className="audit-events"
        rows={events}
        keyOf={({ id }) => id}
        isOld={isOld}
        isNew={({ id }) => added.has(id)}
        columns={[
          [t('at'), ({ at }) => <Moment at={at} />],
          [t('what'), ({ action }) => <code>{action}</code>],
          [t('who'), (event) => <Actor event={event} />],
          [t('whom'), ({ target }) => <Target target={target} />],
          [t('from'), ({ address }) => address],
          [t('details'), (event) => <Details event={event} />],
        ]}
      />
    </>
  )
}

function Actor({ event: { actorKind, actorId, actorEmail, actorName, operator } }: { readonly event: AuditEvent }) {
  const t = useTexts(auditTexts)
  if (operator !== undefined) return t('operator', { name: operator })
  const name = actorEmail ?? actorName ?? actorId
  if (name === undefined) return <span className="audit-unknown">{t('unknownActor')}</span>
  if (actorKind !== 'account' || actorId === undefined) return name
  return (
    <Link to="/users/$userId" params={{ userId: actorId }}>
      {name}
    </Link>
  )
}

function Target({ target }: { readonly target: AuditEvent['target'] | undefined }) {
  if (target === undefined) return null
  if (target.kind !== 'account')
    return (
      <>
        {target.kind} <code>{target.id}</code>
      </>
    )
  return (
    <Link to="/users/$userId" params={{ userId: target.id }}>
      {target.id}
    </Link>
  )
}

function Details({ event }: { readonly event: AuditEvent }) {
  const t = useTexts(auditTexts)
  const members = Object.entries(event.details)
  return (
    <>
      {members.map(([name, value]) => (
        <span key={name} className="audit-detail">
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </span>
      ))}
      <CopyButton text={JSON.stringify(event, null, 2)} name={t('copyEvent')} />
    </>
  )
}

interface AuditFiltersProps {
  readonly filters: AuditSearch
  readonly onApply: (filters: AuditSearch) => void
}

function AuditFilters({ filters, onApply }: AuditFiltersProps) {
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
    onType: (value: string) => setTyped({ ...typed, [name]: value }),
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
        {Object.keys(filters).length > 0 && <Button onClick={() => onApply({})}>{t('clearFilters')}</Button>}
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

/** How often the newest events are asked for while the trail is watched. */
const liveMs = 3_000

/** Of the events that are shown, those that were not there before. None of a list that is shown for the first time. */
function useNew(events: readonly { readonly id: string }[], key: string): ReadonlySet<string> {
  const former = useRef<{ readonly key: string; readonly ids: ReadonlySet<string> }>(undefined)
  const isSame = former.current?.key === key
  const known = isSame ? former.current?.ids : undefined
  const added = new Set(known ? events.filter(({ id }) => !known.has(id)).map(({ id }) => id) : [])
  const shown = useRef<ReadonlySet<string>>(added)
  if (added.size > 0 || !isSame) shown.current = added
  useEffect(() => {
    former.current = { key, ids: new Set(events.map(({ id }) => id)) }
  }, [key, events])
  return shown.current
}
