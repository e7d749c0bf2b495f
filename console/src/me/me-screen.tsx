import { isProblem, unwrap } from '@muster/client'
import { type UserData, useUser } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { FactList } from '../ui/fact-list.tsx'
import { Mark } from '../ui/mark.tsx'
import { Factors } from './factors.tsx'
import { OwnData } from './own-data.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { PasswordForm } from './password-form.tsx'
import { meTexts } from './texts.ts'

/** What a user sees and changes of their own account. */
export function MeScreen() {
  const t = useTexts(meTexts)
  const account = useQuery({
    queryKey: ['own-account'],
    queryFn: ({ signal }) => unwrap(muster.GET('/auth/account', { signal })),
  })
  const isForeign = isProblem(account.error, 'session_foreign')
  return (
    <>
      <h1>{t('title')}</h1>
      <h2>{t('account')}</h2>
      {isForeign ? (
        <>
          <p className="note">{t('foreign')}</p>
          <Plan />
        </>
      ) : (
        <Answer of={account} refusal={t('accountRefused')}>
          {({ email, emailProved }) => (
            <>
              <FactList
                facts={[
                  [
                    t('email'),
                    email === null ? (
                      t('noEmail')
                    ) : (
                      <>
                        {email}{' '}
                        {emailProved ? (
                          <Mark tone="good">{t('proved')}</Mark>
                        ) : (
                          <Mark tone="unknown">{t('notProved')}</Mark>
                        )}
                      </>
                    ),
                  ],
                ]}
              />
              <Plan />
              <PasswordForm />
              <Factors />
              <OwnSessions />
              <OwnData email={email} />
            </>
          )}
        </Answer>
      )}
    </>
  )
}

function Plan() {
  const t = useTexts(meTexts)
  const current = useUser()
  if (current.status !== 'ready') return null
  const { subscription, orgSubscription, permissions } = current.user
  const allowed = Object.entries(permissions).map(([resource, actions]) => `${resource}: ${actions.join(', ')}`)
  return (
    <FactList
      facts={[
        [t('plan'), subscription === undefined ? t('noPlan') : <PlanName of={subscription} />],
        [t('orgPlan'), orgSubscription && <PlanName of={orgSubscription} />],
        [
          t('permissions'),
          allowed.length === 0 ? (
            t('noPermissions')
          ) : (
            <ul className="plain">
              {allowed.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          ),
        ],
      ]}
    />
  )
}

/** The name, and the payment processor's own word for its status. */
function PlanName({ of }: { readonly of: NonNullable<UserData['subscription']> }) {
  const t = useTexts(meTexts)
  const name = of.plan_name ?? of.plan_id
  return [name, of.status !== undefined && t('planStatus', { status: of.status })].filter(Boolean).join(' · ')
}
