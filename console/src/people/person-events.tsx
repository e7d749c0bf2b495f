import { unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Moment } from '../ui/moment.tsx'
import { personTexts } from './person-texts.ts'

/** The newest events of the audit trail whose target is the account. */
export function PersonEvents({ userId }: { readonly userId: string }) {
  const t = useTexts(personTexts)
  const query = { targetId: userId, limit: 10 }
  const trail = useQuery({
    queryKey: ['audit', 'of', userId],
    queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/admin/audit', { params: { query }, signal })),
  })
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
