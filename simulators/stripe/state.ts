import { randomBytes } from 'node:crypto'

type Metadata = Readonly<Record<string, string>>

interface SimulatedCustomer {
  readonly id: string
  email: string | null
  metadata: Metadata
  deleted: boolean
}

interface SimulatedSubscription {
  readonly id: string
  readonly customerId: string
  readonly created: number
  status: string
  priceIds: readonly string[]
  metadata: Metadata
  members: object
  itemMembers: object
}

/** A change of a subscription. Each creates one event, with the second in which it happens. */
export interface Change {
  readonly status?: string
  readonly priceIds?: readonly string[]
  readonly metadata?: Metadata
  /** Further members of the subscription, such as `cancel_at`. */
  readonly members?: object
  /** Further members of each item, such as `quantity`. */
  readonly itemMembers?: object
}

export interface SimulatedEvent {
  readonly id: string
  readonly object: 'event'
  readonly api_version: string
  readonly created: number
  readonly type: string
  readonly livemode: false
  readonly pending_webhooks: number
  readonly data: { readonly object: unknown }
}

/** The objects, and every event about them. Time is in seconds, as at Stripe. */
export interface StripeState {
  readonly customers: Map<string, SimulatedCustomer>
  readonly subscriptions: Map<string, SimulatedSubscription>
  readonly events: SimulatedEvent[]
  addCustomer(options?: { id?: string; email?: string; metadata?: Metadata }): SimulatedCustomer
  changeCustomer(id: string, metadata: Metadata): SimulatedEvent
  deleteCustomer(id: string): SimulatedEvent
  subscribe(customerId: string, change: Change & { id?: string }): SimulatedSubscription
  change(subscriptionId: string, change: Change): SimulatedEvent
  cancel(subscriptionId: string): SimulatedEvent
  /** An event about any other object. */
  emit(type: string, object: unknown): SimulatedEvent
  /** Adds a subscription without an event. */
  seed(subscription: { id: string; customerId: string; status: string; priceIds: readonly string[] }): void
  customerObject(id: string): unknown
  subscriptionObject(id: string, expand?: readonly string[]): unknown
  itemObjects(subscriptionId: string, isExpanded: boolean): { readonly id: string }[]
}

/** A subscription contains no more items than these; the API lists the others. */
const embeddedItemsMax = 20

const newSubscription = { status: 'active', priceIds: ['price_basic'], metadata: {}, members: {}, itemMembers: {} }

const apiVersion = '2026-10-28.endive'

export function createState(nowMs: () => number): StripeState {
  const customers = new Map<string, SimulatedCustomer>()
  const subscriptions = new Map<string, SimulatedSubscription>()
  const events: SimulatedEvent[] = []
  const seconds = () => Math.floor(nowMs() / 1_000)

  function emit(type: string, object: unknown): SimulatedEvent {
    const event: SimulatedEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: apiVersion,
      created: seconds(),
      type,
      livemode: false,
      pending_webhooks: 1,
      // A copy, so that a later change does not change the event.
      data: { object: structuredClone(object) },
    }
    events.push(event)
    return event
  }

  function subscriptionAt(id: string): SimulatedSubscription {
    const found = subscriptions.get(id)
    if (!found) throw new Error(`the simulator has no subscription ${id}`)
    return found
  }

  function customerAt(id: string): SimulatedCustomer {
    const found = customers.get(id)
    if (!found) throw new Error(`the simulator has no customer ${id}`)
    return found
  }

  const customerObject = (id: string): unknown => {
    const { deleted, email, metadata } = customerAt(id)
    return deleted ? { id, object: 'customer', deleted: true } : { id, object: 'customer', email, metadata }
  }

  const itemObjects = (id: string, isExpanded: boolean) => {
    const { priceIds, itemMembers } = subscriptionAt(id)
    const product = (priceId: string) => ({ id: `prod_${priceId}`, object: 'product', name: `Product of ${priceId}` })
    return priceIds.map((priceId, index) => ({
      id: `si_${id}_${index}`,
      object: 'subscription_item',
      price: { id: priceId, object: 'price', product: isExpanded ? product(priceId) : product(priceId).id },
      ...itemMembers,
    }))
  }

  const subscriptionObject = (id: string, expand: readonly string[] = []): unknown => {
    const { customerId, created, status, metadata, members } = subscriptionAt(id)
    const items = itemObjects(id, expand.includes('items.data.price.product'))
    return {
      id,
      object: 'subscription',
      customer: expand.includes('customer') ? customerObject(customerId) : customerId,
      created,
      status,
      metadata,
      items: {
        object: 'list',
        has_more: items.length > embeddedItemsMax,
        data: items.slice(0, embeddedItemsMax),
      },
      ...members,
    }
  }

  return {
    customers,
    subscriptions,
    events,
    emit,
    customerObject,
    subscriptionObject,
    itemObjects,
    addCustomer({ id = newId('cus'), email, metadata = {} } = {}) {
      const customer = { id, email: email ?? null, metadata, deleted: false }
      customers.set(id, customer)
      emit('customer.created', customerObject(id))
      return customer
    },
    changeCustomer(id, metadata) {
      customerAt(id).metadata = metadata
      return emit('customer.updated', customerObject(id))
    },
    deleteCustomer(id) {
      for (const { id: subscriptionId, customerId, status } of subscriptions.values())
        if (customerId === id && status !== 'canceled') this.cancel(subscriptionId)
      customerAt(id).deleted = true
      return emit('customer.deleted', { ...Object(customerObject(id)), deleted: undefined })
    },
    subscribe(customerId, { id = newId('sub'), ...change }) {
      const subscription = { id, customerId, created: seconds(), ...newSubscription, ...change }
      subscriptions.set(id, subscription)
      emit('customer.subscription.created', subscriptionObject(id))
      return subscription
    },
    change(id, change) {
      Object.assign(subscriptionAt(id), change)
      return emit('customer.subscription.updated', subscriptionObject(id))
    },
    cancel(id) {
      subscriptionAt(id).status = 'canceled'
      return emit('customer.subscription.deleted', subscriptionObject(id))
    },
    seed({ id, customerId, status, priceIds }) {
      if (!customers.has(customerId))
        customers.set(customerId, { id: customerId, email: null, metadata: {}, deleted: false })
      subscriptions.set(id, { ...newSubscription, id, customerId, created: seconds(), status, priceIds })
    },
  }
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}
