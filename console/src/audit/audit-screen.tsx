import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useLanguage, useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Download } from '../ui/download.tsx'
import { Moment } from '../ui/moment.tsx'
import './audit.css'
import { AuditFilters } from './audit-filters.tsx'
import { liveMs, useNew } from './live.ts'
import { type AuditEvent, exportTrail, readTrail } from './read-trail.ts'
import type { AuditSearch } from './search.ts'
import { auditTexts } from './texts.ts'

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
      <table className="audit-events" aria-busy={isOld}>
        <thead>
          <tr>
            <th scope="col">{t('at')}</th>
            <th scope="col">{t('what')}</th>
            <th scope="col">{t('who')}</th>
            <th scope="col">{t('whom')}</th>
            <th scope="col">{t('from')}</th>
            <th scope="col">{t('details')}</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id} data-new={added.has(event.id)}>
              <td data-label={t('at')}>
                <Moment at={event.at} />
              </td>
              <td data-label={t('what')}>
                <code>{event.action}</code>
              </td>
              <td data-label={t('who')}>
                <Actor event={event} />
              </td>
              <td data-label={t('whom')}>
                <Target target={event.target} />
              </td>
              <td data-label={t('from')}>{event.address}</td>
              <td data-label={t('details')}>
                <Details event={event} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
    <Link to="/people/$userId" params={{ userId: actorId }}>
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
    <Link to="/people/$userId" params={{ userId: target.id }}>
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
