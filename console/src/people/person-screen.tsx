import { isProblem } from '@muster/client'
import { RequirePermission } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ActAsAction } from '../act-as/act-as-action.tsx'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { CopyId } from '../ui/copy-button.tsx'
import { FactList } from '../ui/fact-list.tsx'
import { Mark } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import './people.css'
import { Permitted, PersonActions } from './person-actions.tsx'
import { Identities, Organizations } from './person-belongs.tsx'
import { personKey, readPerson, type UserRecord } from './person-calls.ts'
import { PersonEvents } from './person-events.tsx'
import { statusTones } from './person-row.tsx'
import { PersonFactors, PersonSessions } from './person-sessions.tsx'
import { PersonSubscriptions } from './person-subscriptions.tsx'
import { personTexts } from './person-texts.ts'
import { peopleTexts } from './texts.ts'
import { useBackToList } from './use-return.ts'

/** One person: facts first, then what happened, and what can be changed last. */
export function PersonScreen() {
  const t = useTexts(personTexts)
  const { userId } = useParams({ from: '/people/$userId' })
  const person = useQuery({ queryKey: personKey(userId), queryFn: ({ signal }) => readPerson(userId, signal) })
  const back = useBackToList(userId)
  const isUnknown = isProblem(person.error, 'user_unknown')
  return (
    <>
      <p>
        <Link
          to="/people"
          onClick={(event) => {
            if (!back || event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            back()
          }}
        >
          {t('back')}
        </Link>
      </p>
      {isUnknown && person.data === undefined && (
        <>
          <h1>{userId}</h1>
          <p className="note">{t('unknown')}</p>
        </>
      )}
      {!isUnknown && (
        <Answer of={person} refusal={t('refused')}>
          {(seen) => (
            <>
              <h1>{seen.user.email ?? seen.user.id}</h1>
              <Facts user={seen.user} />
              <Permitted action="act_as">
                <ActAsAction
                  {...{ userId, name: seen.user.email ?? userId }}
                  isActive={seen.user.status === 'active'}
                />
              </Permitted>
              <RequirePermission resource="subscriptions" action="read">
                <PersonSubscriptions userId={userId} />
              </RequirePermission>
              <PersonSessions userId={userId} />
              <PersonFactors userId={userId} />
              <RequirePermission resource="audit" action="read">
                <PersonEvents userId={userId} />
              </RequirePermission>
              <PersonActions seen={seen} />
            </>
          )}
        </Answer>
      )}
    </>
  )
}

function Facts({ user }: { readonly user: UserRecord }) {
  const t = useTexts(personTexts)
  const people = useTexts(peopleTexts)
  return (
    <FactList
      facts={[
        ['Id', <CopyId key="id" id={user.id} name="Id" />],
        [people('status'), <Mark tone={statusTones[user.status]}>{people(user.status)}</Mark>],
        [t('since'), user.disabledAt && <Moment at={user.disabledAt} />],
        [t('erases'), user.erasesAt && <Moment at={user.erasesAt} />],
        [
          people('email'),
          user.email && (
            <>
              {user.email}{' '}
              {user.emailProved ? (
                <Mark tone="good">{people('proved')}</Mark>
              ) : (
                <Mark tone="unknown">{people('notProved')}</Mark>
              )}
            </>
          ),
        ],
        [people('role'), user.role],
        [people('created'), <Moment at={user.createdAt} />],
        [t('organizations'), user.orgs.length > 0 ? <Organizations orgs={user.orgs} /> : undefined],
        [t('identities'), <Identities key="identities" identities={user.identities} />],
        [t('waits'), waitsOf(user, t)],
      ]}
    />
  )
}

function waitsOf({ signInWaits = [] }: UserRecord, t: ReturnType<typeof useTexts<keyof (typeof personTexts)['en']>>) {
  return listOf(
    signInWaits.map(({ scope, until }) => [
      scope,
      until === undefined ? t(scope) : `${t(scope)}, ${t('waitUntil', { time: new Date(until).toLocaleString() })}`,
    ]),
  )
}

/** Keys with their texts; a key without one is its own text. */
function listOf(entries: readonly (readonly [key: string, text?: string])[]) {
  if (entries.length === 0) return undefined
  return (
    <ul className="plain">
      {entries.map(([key, text = key]) => (
        <li key={key}>{text}</li>
      ))}
    </ul>
  )
}
