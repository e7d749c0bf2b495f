import type { Schemas } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Renewal } from '../billing/renewal.tsx'
import { subscriptionMeaning, subscriptionStatusTexts, subscriptionTone } from '../billing/status-words.ts'
import { muster } from '../session/muster.ts'
import { reading } from '../session/reading.ts'
import { defineTexts, useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { CopyId } from '../ui/button.tsx'
import { FactList, Mark, Moment } from '../ui/facts.tsx'
import { userKey } from './calls.ts'

type Subscription = Schemas['UserSubscription']

const subscriptionTexts = defineTexts({
  refused: ['The subscriptions were not read.', 'Die Abonnements wurden nicht gelesen.'],
  none: ['No subscription.', 'Kein Abonnement.'],
  byDefault: ['Without one, this person has the plan {plan}.', 'Ohne eines hat diese Person den Tarif {plan}.'],
  noDefault: ['Without one, this person has no plan.', 'Ohne eines hat diese Person keinen Tarif.'],
  status: ['Status at {processor}', 'Status bei {processor}'],
  noPlan: ['none: the price is mapped to no plan', 'keiner: der Preis gehört zu keinem Tarif'],
  of: ['Of the organisation', 'Der Organisation'],
  price: ['Price', 'Preis'],
  customer: ['Customer', 'Kunde'],
  id: ['Subscription', 'Abonnement'],
  unconfirmed: ['only the payer says that this is theirs', 'nur wer bezahlt hat, sagt, dass es dieser Person gehört'],
  settle: ['Look at it', 'Ansehen'],
  began: ['Began', 'Begann'],
  asOf: ['As of', 'Stand'],
  money: ['Amounts and invoices are at the payment processor.', 'Beträge und Rechnungen sind beim Zahlungsdienst.'],
})

/** What a user, or an organisation of theirs, pays for: the processor's own word, and what it means here. */
export function UserSubscriptions({ userId }: { readonly userId: string }) {
  const t = useTexts(subscriptionTexts)
  const params = { path: { userId } }
  const list = useQuery(
    reading([...userKey(userId), 'subscriptions'], (signal) =>
      muster.GET('/api/v1/admin/users/{userId}/subscriptions', { params, signal }),
    ),
  )
  return (
    <>
      <h2>{t('subscriptions')}</h2>
      <Answer of={list} refusal={t('refused')}>
        {({ subscriptions, defaultPlan }) => (
          <>
            {subscriptions.every(({ organization }) => organization !== undefined) && (
              <p>
                {t('none')} {defaultPlan ? t('byDefault', { plan: defaultPlan.name }) : t('noDefault')}
              </p>
            )}
            {subscriptions.map((subscription) => (
              <Subscribed key={subscription.id} subscription={subscription} />
            ))}
            {subscriptions.length > 0 && <p className="field-hint">{t('money')}</p>}
          </>
        )}
      </Answer>
    </>
  )
}

/** As they write themselves; another one by its id. */
const titles: Readonly<Record<string, string>> = { stripe: 'Stripe', paddle: 'Paddle', polar: 'Polar' }

function Subscribed({ subscription }: { readonly subscription: Subscription }) {
  const t = useTexts(subscriptionTexts)
  const meaning = useTexts(subscriptionStatusTexts)
  const { id, status, plan, productName, priceIds, customerId, processor, isConfirmed, organization } = subscription
  return (
    <FactList
      facts={[
        [
          t('status', { processor: titles[processor] ?? processor }),
          <>
            <Mark tone={subscriptionTone(status)}>
              <code>{status}</code>
            </Mark>
            {' – '}
            {subscriptionMeaning(status, meaning)}
            <Renewal of={subscription} />
          </>,
        ],
        [t('plan'), plan?.name ?? <Mark tone="warning">{t('noPlan')}</Mark>],
        [
          t('of'),
          organization && (
            <Link to="/users" search={{ orgId: organization.id }}>
              {organization.name}
            </Link>
          ),
        ],
        [t('price'), [productName, priceIds.join(', ')].filter(Boolean).join(' · ')],
        [
          t('customer'),
          <>
            <CopyId id={customerId} name={t('customer')} />
            {!isConfirmed && (
              <>
                <Mark tone="unknown">{t('unconfirmed')}</Mark> <Link to="/billing">{t('settle')}</Link>
              </>
            )}
          </>,
        ],
        [t('id'), <CopyId key="id" id={id} name={t('id')} />],
        [t('began'), <Moment key="began" at={subscription.createdAt} />],
        [t('asOf'), <Moment key="as-of" at={subscription.asOf} />],
      ]}
    />
  )
}
