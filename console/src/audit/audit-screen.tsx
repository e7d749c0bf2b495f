import { type components, unwrap } from '@muster/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { cursorsOf } from '../ui/links.ts'
import { Moment } from '../ui/moment.tsx'
import './audit.css'
import { AuditFilters } from './audit-filters.tsx'
import type { AuditSearch } from './search.ts'
import { auditTexts } from './texts.ts'

type AuditEvent = components['schemas']['AuditEvent']

/** The audit trail, a page at a time. The filters stand in the address, so that a link shows the same events. */
export function AuditScreen() {
  const t = useTexts(auditTexts)
  const search = useSearch({ from: '/audit' })
  const navigate = useNavigate()
  const trail = useQuery({
    queryKey: ['audit', search],
    queryFn: ({ signal }) => readPage(search, signal),
    placeholderData: keepPreviousData,
  })
  const { cursor, ...filters } = search
  const isFiltered = Object.keys(filters).length > 0
  const open = (next: AuditSearch) => void navigate({ to: '/audit', search: next })
  return (
    <>
      <h1>{t('title')}</h1>
      <p>
        {t('intro')} {t('kept')}
      </p>
      <AuditFilters key={JSON.stringify(filters)} filters={filters} onApply={open} />
      <Answer of={trail} refusal={t('refused')}>
        {({ events, next }) => (
          <>
            {events.length === 0 ? (
              <p className="empty">{isFiltered ? t('none') : t('noneAtAll')}</p>
            ) : (
              <Events events={events} isOld={trail.isPlaceholderData} />
            )}
            <div className="buttons">
              {cursor !== undefined && <Button onClick={() => open(filters)}>{t('newest')}</Button>}
              {next !== undefined && <Button onClick={() => open({ ...filters, cursor: next })}>{t('older')}</Button>}
            </div>
          </>
        )}
      </Answer>
    </>
  )
}

async function readPage(query: AuditSearch, signal: AbortSignal) {
  const answer = await muster.GET('/api/v1/admin/audit', { params: { query: { ...query, limit: 50 } }, signal })
  const { events } = await unwrap(answer)
  return { events, next: cursorsOf(answer.response).next }
}

function Events({ events, isOld }: { readonly events: readonly AuditEvent[]; readonly isOld: boolean }) {
  const t = useTexts(auditTexts)
  return (
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
          <tr key={event.id}>
            <td>
              <Moment at={event.at} />
            </td>
            <td>
              <code>{event.action}</code>
            </td>
            <td>
              <Actor event={event} />
            </td>
            <td>
              <Target target={event.target} />
            </td>
            <td>{event.address}</td>
            <td>
              <Details event={event} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
