import { isProblem } from '@muster/client'
import { RequirePermission } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ActAsAction } from '../act-as/act-as-action.tsx'
import { defineTexts, useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { CopyId } from '../ui/button.tsx'
import { Email, FactList, Mark, Moment } from '../ui/facts.tsx'
import { Permitted } from '../ui/permitted.tsx'
import { readUser, type UserRecord, userKey } from './calls.ts'
import { useBackToList } from './list-keys.ts'
import { statusTones } from './rows.tsx'
import { usersTexts, userTexts } from './texts.ts'
import { UserActions } from './user-actions.tsx'
import { UserEvents, UserFactors, UserSessions } from './user-details.tsx'
import { UserSubscriptions } from './user-subscriptions.tsx'
import './users.css'

/** One user: facts first, then what happened, and what can be changed last. */
export function UserScreen() {
  const t = useTexts(userTexts)
  const { userId } = useParams({ from: '/users/$userId' })
  const query = useQuery({ queryKey: userKey(userId), queryFn: ({ signal }) => readUser(userId, signal) })
  const back = useBackToList(userId)
  const isUnknown = isProblem(query.error, 'user_unknown')
  return (
    <>
      <p>
        <Link
          to="/users"
          onClick={(event) => {
            if (!back || event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            back()
          }}
        >
          {t('back')}
        </Link>
      </p>
      {isUnknown && query.data === undefined && (
        <>
          <h1>{userId}</h1>
          <p className="note">{t('unknown')}</p>
        </>
      )}
      {!isUnknown && (
        <Answer of={query} refusal={t('refused')}>
          {(seen) => (
            <>
              <h1>{seen.user.email ?? seen.user.id}</h1>
              <Facts user={seen.user} />
              <Permitted resource="users" action="act_as">
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
  const list = useTexts(usersTexts)
  return (
    <FactList
      facts={[
        ['Id', <CopyId key="id" id={user.id} name="Id" />],
        [list('status'), <Mark tone={statusTones[user.status]}>{list(user.status)}</Mark>],
        [t('since'), user.disabledAt && <Moment at={user.disabledAt} />],
        [t('erases'), user.erasesAt && <Moment at={user.erasesAt} />],
        [t('name'), user.displayName],
        [list('email'), user.email && <Email email={user.email} isProved={user.emailProved} />],
        [list('role'), user.role],
        [list('created'), <Moment at={user.createdAt} />],
        [t('organizations'), user.orgs.length > 0 ? <Organizations orgs={user.orgs} /> : undefined],
        [t('identities'), <Identities key="identities" user={user} />],
        [t('waits'), user.signInWaits?.length ? <Waits waits={user.signInWaits} /> : undefined],
      ]}
    />
  )
}

function Waits({ waits }: { readonly waits: NonNullable<UserRecord['signInWaits']> }) {
  const t = useTexts(userTexts)
  return (
    <ul className="plain">
      {waits.map(({ scope, until }) => (
        <li key={scope}>
          {t(scope)}
          {until !== undefined && `, ${t('waitUntil', { time: new Date(until).toLocaleString() })}`}
        </li>
      ))}
    </ul>
  )
}

const identityTexts = defineTexts({
  builtIn: ['here, by password or passkey', 'hier, mit Passwort oder Passkey'],
  as: ['as', 'als'],
})

/** Where a user signs in, and as whom. The built-in issuer knows users by their id, and no other issuer does. */
function Identities({ user }: { readonly user: UserRecord }) {
  const t = useTexts(identityTexts)
  return (
    <ul className="plain">
      {user.identities.map(({ issuer, subject }) => (
        <li key={`${issuer} ${subject}`}>
          {subject === user.id ? (
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

/** The organisations of a user, each with the way to its members. */
function Organizations({ orgs }: Pick<UserRecord, 'orgs'>) {
  return (
    <ul className="plain">
      {orgs.map(({ id, name, role }) => (
        <li key={id}>
          <Link to="/users" search={{ orgId: id }}>
            {name}
          </Link>{' '}
          ({role})
        </li>
      ))}
    </ul>
  )
}
