import type { UserData } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Renewal } from '../billing/renewal.tsx'
import { muster } from '../session/muster.ts'
import { ownOrganizations } from '../session/own.ts'
import { reading } from '../session/reading.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { FactList } from '../ui/facts.tsx'
import { Choice } from '../ui/field.tsx'
import { meTexts } from './texts.ts'

/** Plan and permissions, in the organisation that is chosen: both depend on it. */
export function Plan() {
  const t = useTexts(meTexts)
  const [chosen, setChosen] = useState<string>()
  const organizations = useQuery(ownOrganizations)
  const query = { details: true, ...(chosen !== undefined && { orgId: chosen }) }
  const user = useQuery({
    ...reading(['own-data', chosen], (signal) => muster.GET('/api/v1/user/data', { params: { query }, signal })),
    placeholderData: (former) => former,
  })
  const orgs = organizations.data?.orgs ?? []
  return (
    <Answer of={user} refusal={t('planRefused')}>
      {(data) => (
        <>
          <h2>{t('planTitle')}</h2>
          {orgs.length > 1 && (
            <Choice
              label={t('inOrganization')}
              hint={t('inOrganizationHint')}
              value={chosen ?? data.orgId}
              onType={setChosen}
            >
              {orgs.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Choice>
          )}
          <PlanFacts user={data} organization={orgs.find(({ id }) => id === data.orgId)?.name} />
        </>
      )}
    </Answer>
  )
}

interface PlanFactsProps {
  readonly user: UserData
  readonly organization: string | undefined
}

export function PlanFacts({ user, organization }: PlanFactsProps) {
  const t = useTexts(meTexts)
  const { subscription, orgSubscription, permissions, subscriptions = [] } = user
  const own = subscriptions.filter(({ orgId }) => orgId === undefined)
  const ofOrganization = subscriptions.filter(({ orgId }) => orgId !== undefined)
  const further = [...own.slice(1), ...ofOrganization.slice(1)].map(
    ({ id, plan, productName, status }) => `${plan?.name ?? productName ?? id} · ${status}`,
  )
  const allowed = Object.entries(permissions).map(([resource, actions]) => `${resource}: ${actions.join(', ')}`)
  return (
    <FactList
      facts={[
        [t('organization'), organization],
        [t('plan'), subscription === undefined ? t('noPlan') : <PlanName of={subscription} details={own[0]} />],
        [t('orgPlan'), orgSubscription && <PlanName of={orgSubscription} details={ofOrganization[0]} />],
        [t('furtherSubscriptions'), further.length === 0 ? undefined : further.join(', ')],
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

interface PlanNameProps {
  readonly of: NonNullable<UserData['subscription']>
  readonly details: NonNullable<UserData['subscriptions']>[number] | undefined
}

/** The name, the payment processor's own word for its status, and when it renews or ends. */
function PlanName({ of, details }: PlanNameProps) {
  const t = useTexts(meTexts)
  const name = of.plan_name ?? of.plan_id
  return (
    <>
      {[name, of.status !== undefined && t('planStatus', { status: of.status })].filter(Boolean).join(' · ')}
      <Renewal of={details} />
    </>
  )
}
