import { isProblem } from '@muster/client'
import { RequirePermission } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ActAsAction } from '../act-as/act-as-action.tsx'
import { defineTexts, useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { CopyId } from '../ui/button.tsx'
import { FactList, Mark, Moment } from '../ui/facts.tsx'
import { readUser, type UserRecord, userKey } from './calls.ts'
import { useBackToList } from './list-keys.ts'
import { statusTones } from './rows.tsx'
import { usersTexts, userTexts } from './texts.ts'
import { Permitted, UserActions } from './user-actions.tsx'
import { UserEvents, UserFactors, UserSessions } from './user-details.tsx'
import { UserSubscriptions } from './user-subscriptions.tsx'
import './users.css'

/** One person: facts first, then what happened, and what can be changed last. */
export function UserScreen() {
  const t = useTexts(userTexts)
  const { userId } = useParams({ from: '/people/$userId' })
  const person = useQuery({ queryKey: userKey(userId), queryFn: ({ signal }) => readUser(userId, signal) })
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
                <UserSubscriptions userId={userId} />
              </RequirePermission>
              <UserSessions userId={userId} />
              <UserFactors userId={userId} />
              <RequirePermission resource="audit" action="read">
                <UserEvents userId={userId} />
              </RequirePermission>
              <UserActions seen={seen} />
            </>
          )}
        </Answer>
      )}
    </>
  )
}

function Facts({ user }: { readonly user: UserRecord }) {
  const t = useTexts(userTexts)
  const people = useTexts(usersTexts)
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

function waitsOf({ signInWaits = [] }: UserRecord, t: ReturnType<typeof useTexts<keyof (typeof userTexts)['en']>>) {
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

const identityTexts = defineTexts({
  en: { builtIn: 'here, by password or passkey', as: 'as' },
  de: { builtIn: 'hier, mit Passwort oder Passkey', as: 'als' },
})

/** The name of the built-in issuer among identities, whatever its address is. */
const builtInIssuer = 'urn:muster:issuer'

/** Where a person signs in, and as whom. */
export function Identities({ identities }: Pick<UserRecord, 'identities'>) {
  const t = useTexts(identityTexts)
  return (
    <ul className="plain">
      {identities.map(({ issuer, subject }) => (
        <li key={`${issuer} ${subject}`}>
          {issuer === builtInIssuer ? (
            t('builtIn')
          ) : (
            <>
              {issuer} {t('as')} <code>{subject}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The organisations of a person, each with the way to its members. */
function Organizations({ orgs }: Pick<UserRecord, 'orgs'>) {
  return (
    <ul className="plain">
      {orgs.map(({ id, name, role }) => (
        <li key={id}>
          <Link to="/people" search={{ orgId: id }}>
            {name}
          </Link>{' '}
          ({role})
        </li>
      ))}
    </ul>
  )
}
