import { RequirePermission } from '@muster/react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { CopyId } from '../ui/copy-button.tsx'
import { Mark } from '../ui/mark.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { confirmOwner, type UnconfirmedCustomer, type WaitingCustomer } from './calls.ts'
import { OwnerForm } from './owner-form.tsx'
import { toneOf } from './status-words.ts'
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
    <List title={t('unconfirmed')} what={t('unconfirmedWhat')} none={t('unconfirmedNone')} count={customers.length}>
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('confirmRefused')} />}
      <Table customers={customers} aboutOwner={(customer) => <Owner {...customer.owner} />}>
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
      </Table>
      {hasMore && <p className="field-hint">{t('onlyFirst', { command: 'muster billing confirm' })}</p>}
    </List>
  )
}

/** Customers that pay, and that have no owner here. */
export function WaitingCustomers({ customers, hasMore, isUsed }: ListProps<WaitingCustomer>) {
  const t = useTexts(billingTexts)
  if (customers.length === 0 && !isUsed) return null
  return (
    <List title={t('waiting')} what={t('waitingWhat')} none={t('waitingNone')} count={customers.length}>
      <Table
        customers={customers}
        aboutOwner={({ claim }) => (claim ? t('claimUnknown', { value: claim.value }) : t('claimTaken'))}
      >
        {({ id }, openForm) => (
          <Button onClick={openForm} aria-label={`${t('giveOwner')}: ${id}`}>
            {t('giveOwner')}
          </Button>
        )}
      </Table>
      {hasMore && <p className="field-hint">{t('onlyFirst', { command: 'muster billing waiting' })}</p>}
    </List>
  )
}

interface FrameProps {
  readonly title: string
  readonly what: string
  readonly none: string
  readonly count: number
  readonly children: ReactNode
}

function List({ title, what, none, count, children }: FrameProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p>{count === 0 ? <Mark tone="good">{none}</Mark> : what}</p>
      {count > 0 && children}
    </section>
  )
}

interface TableProps<Customer> {
  readonly customers: readonly Customer[]
  readonly aboutOwner: (customer: Customer) => ReactNode
  /** What can be done with one; the second argument asks for its owner. */
  readonly children: (customer: Customer, openForm: () => void) => ReactNode
}

function Table<Customer extends WaitingCustomer | UnconfirmedCustomer>({
  customers,
  aboutOwner,
  children,
}: TableProps<Customer>) {
  const t = useTexts(billingTexts)
  const [asked, setAsked] = useState<string>()
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('customer')}</th>
            <th scope="col">{t('owner')}</th>
            <th scope="col">{t('subscriptions')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {customers.map((customer) => (
            <tr key={customer.id}>
              <td>
                <CopyId id={customer.id} name={t('customer')} />
              </td>
              <td data-label={t('owner')}>{aboutOwner(customer)}</td>
              <td data-label={t('subscriptions')}>
                {customer.subscriptions.length === 0
                  ? '0'
                  : customer.subscriptions.map(({ id, status, priceId }) => (
                      <div key={id}>
                        <Mark tone={toneOf(status)}>{status}</Mark> <code>{priceId}</code>
                      </div>
                    ))}
              </td>
              <td>
                <RequirePermission
                  resource="subscriptions"
                  action="manage"
                  fallback={<span className="field-hint">{t('missing', { permission: 'subscriptions:manage' })}</span>}
                >
                  <div className="row-actions">{children(customer, () => setAsked(customer.id))}</div>
                </RequirePermission>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {asked !== undefined && <OwnerForm key={asked} customerId={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function Owner({ kind, id, name }: UnconfirmedCustomer['owner']) {
  if (kind === 'organization')
    return (
      <Link to="/people" search={{ orgId: id }}>
        {name}
      </Link>
    )
  return (
    <Link to="/people/$userId" params={{ userId: id }}>
      {name}
    </Link>
  )
}
