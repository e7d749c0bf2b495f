import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts.ts'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button, CopyId } from '../ui/button.tsx'
import { Mark } from '../ui/facts.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { Permitted } from '../ui/permitted.tsx'
import { Table } from '../ui/table.tsx'
import { say } from '../ui/toast.tsx'
import { confirmOwner, findAccount, linkOwner, type UnconfirmedCustomer, type WaitingCustomer } from './calls.ts'
import { subscriptionTone } from './status-words.ts'
import { billingTexts } from './texts.ts'

interface ListProps<Customer> {
  readonly customers: readonly Customer[]
  readonly hasMore: boolean
  /** Where no processor is configured, an empty list says nothing. */
  readonly isUsed: boolean
}

/** Customers whose owner only their payer has named: “this is them”, or another owner. */
export function UnconfirmedCustomers({ customers, hasMore, isUsed }: ListProps<UnconfirmedCustomer>) {
  const t = useTexts(billingTexts)
  const attempt = useAttempt()
  if (customers.length === 0 && !isUsed) return null
  const confirm = async (customer: UnconfirmedCustomer) => {
    await confirmOwner(customer)
    say(t('confirmed', { customer: customer.id, owner: customer.owner.name }))
  }
  return (
    <CustomerSection
      title={t('unconfirmed')}
      what={t('unconfirmedWhat')}
      none={t('unconfirmedNone')}
      count={customers.length}
    >
      <AttemptNote error={attempt.error} title={t('confirmRefused')} />
      <CustomerTable customers={customers} aboutOwner={(customer) => <Owner {...customer.owner} />}>
        {(customer, openForm) => (
          <>
            <Button
              isBusy={attempt.isBusy}
              onClick={() => attempt.run(() => confirm(customer))}
              aria-label={`${t('thisIsThem')}: ${customer.id}, ${customer.owner.name}`}
            >
              {t('thisIsThem')}
            </Button>
            <Button look="text" onClick={openForm} aria-label={`${t('notThem')}: ${customer.id}`}>
              {t('notThem')}
            </Button>
          </>
        )}
      </CustomerTable>
      {hasMore && <p className="field-hint">{t('onlyFirst', { command: 'muster billing confirm' })}</p>}
    </CustomerSection>
  )
}

/** Customers that pay, and that have no owner here. */
export function WaitingCustomers({ customers, hasMore, isUsed }: ListProps<WaitingCustomer>) {
  const t = useTexts(billingTexts)
  if (customers.length === 0 && !isUsed) return null
  return (
    <CustomerSection title={t('waiting')} what={t('waitingWhat')} none={t('waitingNone')} count={customers.length}>
      <CustomerTable
        customers={customers}
        aboutOwner={({ claim }) =>
          claim
            ? t(claim.kind === 'unreadable' ? 'claimUnreadable' : 'claimUnknown', { value: claim.value })
            : t('claimTaken')
        }
      >
        {({ id }, openForm) => (
          <Button onClick={openForm} aria-label={`${t('giveOwner')}: ${id}`}>
            {t('giveOwner')}
          </Button>
        )}
      </CustomerTable>
      {hasMore && <p className="field-hint">{t('onlyFirst', { command: 'muster billing waiting' })}</p>}
    </CustomerSection>
  )
}

interface FrameProps {
  readonly title: string
  readonly what: string
  readonly none: string
  readonly count: number
  readonly children: ReactNode
}

function CustomerSection({ title, what, none, count, children }: FrameProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p>{count === 0 ? <Mark tone="good">{none}</Mark> : what}</p>
      {count > 0 && children}
    </section>
  )
}

interface CustomerTableProps<Customer> {
  readonly customers: readonly Customer[]
  readonly aboutOwner: (customer: Customer) => ReactNode
  /** What can be done with one; the second argument asks for its owner. */
  readonly children: (customer: Customer, openForm: () => void) => ReactNode
}

function CustomerTable<Customer extends WaitingCustomer | UnconfirmedCustomer>({
  customers,
  aboutOwner,
  children,
}: CustomerTableProps<Customer>) {
  const t = useTexts(billingTexts)
  const [asked, setAsked] = useState<string>()
  return (
    <>
      <Table
        rows={customers}
        keyOf={({ id }) => id}
        columns={[
          [t('customer'), ({ id }) => <CopyId id={id} name={t('customer')} />, 'title'],
          [t('owner'), aboutOwner],
          [t('subscriptions'), ({ subscriptions }) => <Paid subscriptions={subscriptions} />],
          [
            '',
            (customer) => (
              <Permitted resource="subscriptions" action="manage">
                <div className="row-actions">{children(customer, () => setAsked(customer.id))}</div>
              </Permitted>
            ),
          ],
        ]}
      />
      {asked !== undefined && <OwnerForm key={asked} customerId={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function Paid({ subscriptions }: Pick<WaitingCustomer, 'subscriptions'>) {
  if (subscriptions.length === 0) return '0'
  return subscriptions.map(({ id, status, priceIds }) => (
    <div key={id}>
      <Mark tone={subscriptionTone(status)}>{status}</Mark> <code>{priceIds.join(', ')}</code>
    </div>
  ))
}

function Owner({ kind, id, name }: UnconfirmedCustomer['owner']) {
  if (kind === 'organization')
    return (
      <Link to="/users" search={{ orgId: id }}>
        {name}
      </Link>
    )
  return (
    <Link to="/users/$userId" params={{ userId: id }}>
      {name}
    </Link>
  )
}

interface OwnerFormProps {
  readonly customerId: string
  readonly onClose: () => void
}

/** Asks whose a customer is. Every link is taken back by another one, so nothing has to be typed twice. */
function OwnerForm({ customerId, onClose }: OwnerFormProps) {
  const t = useTexts(billingTexts)
  const attempt = useAttempt()
  const [kind, setKind] = useState<'account' | 'organization'>('account')
  const [who, setWho] = useState('')
  const [isUnknown, setIsUnknown] = useState(false)
  const link = async () => {
    setIsUnknown(false)
    const id = kind === 'account' ? await findAccount(who.trim()) : who.trim()
    if (id === undefined) return setIsUnknown(true)
    await linkOwner(customerId, kind === 'account' ? { accountId: id } : { orgId: id })
    say(t('linked_', { customer: customerId }))
    onClose()
  }
  return (
    <form className="note" onSubmit={attempt.submit(link)}>
      <h3>{t('ownerQuestion', { customer: customerId })}</h3>
      <p>{t('ownerWhat')}</p>
      <Choice
        label={t('kind')}
        value={kind}
        onType={(value) => setKind(value === 'account' ? 'account' : 'organization')}
      >
        <option value="account">{t('account')}</option>
        <option value="organization">{t('organization')}</option>
      </Choice>
      <Field
        label={t(kind === 'account' ? 'accountLabel' : 'organizationLabel')}
        value={who}
        required
        autoFocus
        autoComplete="off"
        spellCheck={false}
        error={isUnknown ? t('ownerUnknown') : undefined}
        onType={setWho}
      />
      <AttemptNote error={attempt.error} title={t('linkRefused')} />
      <div className="buttons">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="main" isBusy={attempt.isBusy}>
          {t('link')}
        </Button>
      </div>
    </form>
  )
}
