import { unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Moment } from '../ui/moment.tsx'
import { personKey } from './person-calls.ts'
import { personTexts } from './person-texts.ts'

interface OfPerson {
  readonly userId: string
}

export function PersonSessions({ userId }: OfPerson) {
  const t = useTexts(personTexts)
  const params = { path: { userId } }
  const list = useQuery({
    queryKey: [...personKey(userId), 'sessions'],
    queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/admin/users/{userId}/sessions', { params, signal })),
  })
  return (
    <>
      <h2>{t('sessions')}</h2>
      <Answer of={list} refusal={t('sessionsRefused')}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <p>{t('sessionsNone')}</p>
          ) : (
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('opened')}</th>
                  <th scope="col">{t('lastUsed')}</th>
                  <th scope="col">{t('from')}</th>
                  <th scope="col">{t('how')}</th>
                </tr>
              </thead>
              <tbody>
                {sessions.map(({ id, createdAt, lastUsedAt, address, userAgent, amr }) => (
                  <tr key={id}>
                    <td data-label={t('opened')}>
                      <Moment at={createdAt} />
                    </td>
                    <td data-label={t('lastUsed')}>
                      <Moment at={lastUsedAt} />
                    </td>
                    <td className="wrap" data-label={t('from')}>
                      {address} {userAgent}
                    </td>
                    <td data-label={t('how')}>{amr.join(', ')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
    </>
  )
}

export function PersonFactors({ userId }: OfPerson) {
  const t = useTexts(personTexts)
  const params = { path: { userId } }
  const list = useQuery({
    queryKey: [...personKey(userId), 'factors'],
    queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/admin/users/{userId}/factors', { params, signal })),
  })
  return (
    <>
      <h2>{t('factors')}</h2>
      <Answer of={list} refusal={t('factorsRefused')}>
        {({ factors }) =>
          factors.length === 0 ? (
            <p>{t('factorsNone')}</p>
          ) : (
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('name')}</th>
                  <th scope="col">{t('kind')}</th>
                  <th scope="col">{t('added')}</th>
                  <th scope="col">{t('lastUsed')}</th>
                </tr>
              </thead>
              <tbody>
                {factors.map(({ id, name, kind, createdAt, lastUsedAt }) => (
                  <tr key={id}>
                    <td className="wrap">{name}</td>
                    <td data-label={t('kind')}>{t(kind)}</td>
                    <td data-label={t('added')}>
                      <Moment at={createdAt} />
                    </td>
                    <td data-label={t('lastUsed')}>{lastUsedAt && <Moment at={lastUsedAt} />}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
    </>
  )
}
