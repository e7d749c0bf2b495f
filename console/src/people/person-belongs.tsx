import { Link } from '@tanstack/react-router'
import { defineTexts, useTexts } from '../texts/texts.ts'
import type { UserRecord } from './person-calls.ts'

const texts = defineTexts({
  en: { builtIn: 'here, by password or passkey', as: 'as' },
  de: { builtIn: 'hier, mit Passwort oder Passkey', as: 'als' },
})

/** The name of the built-in issuer among identities, whatever its address is. */
const builtInIssuer = 'urn:muster:issuer'

/** Where a person signs in, and as whom. */
export function Identities({ identities }: Pick<UserRecord, 'identities'>) {
  const t = useTexts(texts)
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
export function Organizations({ orgs }: Pick<UserRecord, 'orgs'>) {
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
