import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { muster } from '../session/muster.ts'
import { reading } from '../session/reading.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Moment } from '../ui/facts.tsx'
import { Table } from '../ui/table.tsx'
import { userKey } from './calls.ts'
import { userTexts } from './texts.ts'

interface OfUser {
  readonly userId: string
}

export function UserSessions({ userId }: OfUser) {
  const t = useTexts(userTexts)
  const params = { path: { userId } }
  const list = useQuery(
    reading([...userKey(userId), 'sessions'], (signal) =>
      muster.GET('/api/v1/admin/users/{userId}/sessions', { params, signal }),
    ),
  )
  return (
    <>
      <h2>{t('openSessions')}</h2>
      <Answer of={list} refusal={t('sessionsRefused')}>
        {({ sessions }) => (
          <Table
            rows={sessions}
            none={t('sessionsNone')}
            keyOf={({ id }) => id}
            columns={[
              [t('opened'), ({ createdAt }) => <Moment at={createdAt} />],
              [t('lastUsed'), ({ lastUsedAt }) => <Moment at={lastUsedAt} />],
              [t('from'), ({ address, userAgent }) => `${address ?? ''} ${userAgent ?? ''}`, 'wrap'],
              [t('how'), ({ amr }) => amr.join(', ')],
            ]}
          />
        )}
      </Answer>
    </>
  )
}

export function UserFactors({ userId }: OfUser) {
  const t = useTexts(userTexts)
  const params = { path: { userId } }
  const list = useQuery(
    reading([...userKey(userId), 'factors'], (signal) =>
      muster.GET('/api/v1/admin/users/{userId}/factors', { params, signal }),
    ),
  )
  return (
    <>
      <h2>{t('factors')}</h2>
      <Answer of={list} refusal={t('factorsRefused')}>
        {({ factors }) => (
          <Table
            rows={factors}
            none={t('factorsNone')}
            keyOf={({ id }) => id}
            columns={[
              [t('name'), ({ name }) => name, 'title'],
              [t('kind'), ({ kind }) => t(kind)],
              [t('added'), ({ createdAt }) => <Moment at={createdAt} />],
              [t('lastUsed'), ({ lastUsedAt }) => lastUsedAt && <Moment at={lastUsedAt} />],
            ]}
          />
        )}
      </Answer>
    </>
  )
}

/** The newest events of the audit trail whose target is the account. */
export function UserEvents({ userId }: { readonly userId: string }) {
  const t = useTexts(userTexts)
  const query = { targetId: userId, limit: 10 }
  const trail = useQuery(
    reading(['audit', 'of', userId], (signal) => muster.GET('/api/v1/admin/audit', { params: { query }, signal })),
  )
  return (
    <>
      <h2>{t('events')}</h2>
      <Answer of={trail} refusal={t('eventsRefused')}>
        {({ events }) =>
          events.length === 0 ? (
            <p>{t('eventsNone')}</p>
          ) : (
            <ul className="plain">
              {events.map(({ id, at, action, actorEmail, actorName, operator }) => (
                <li key={id}>
                  <Moment at={at} /> · <code>{action}</code> {operator ?? actorEmail ?? actorName}
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      <p>
        <Link to="/audit" search={{ targetId: userId }}>
          {t('eventsAll')}
        </Link>
      </p>
    </>
  )
}
