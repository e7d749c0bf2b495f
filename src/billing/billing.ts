import type { Registry } from '@prometheus-io/client'
import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Proxies } from '../platform/outgoing/proxies.ts'
import { refuse } from '../platform/problems.ts'
import { endOfWindow } from '../platform/rate-limits.ts'
import { applyEvent, type EventOutcome } from './apply-event.ts'
import type { CheckoutProcessor } from './checkout.ts'
import type { WebhookEvent } from './events.ts'
import { createBillingMetrics } from './metrics.ts'
import { isMapped } from './plans.ts'
import { isConfigured, type OpenProcessor, type ProcessorConfig } from './processor.ts'
import { createManualSync, type ManualSync } from './schedule.ts'
import type { WebhookHeaders } from './signature.ts'
import type { SubscriptionSource } from './sync.ts'

export interface Billing {
  /** Handles one webhook: resolves when its event is committed. Throws the problems of `readEvent` and `applyEvent`. */
  readonly receive: (processorId: string, bytes: Buffer | undefined, headers: WebhookHeaders) => Promise<Receipt>
  /** The configured processors. */
  readonly processors: readonly Pick<ProcessorConfig, 'id' | 'webhook'>[]
  /** The processors that can list subscriptions. */
  readonly sources: readonly SubscriptionSource[]
  readonly manualSync: ManualSync
  /** The first processor with a checkout. */
  readonly checkout: CheckoutProcessor | undefined
  /** Origins that a checkout may send a buyer back to; if empty, any. */
  readonly returnOrigins: readonly string[]
}

interface Receipt {
  readonly outcome: EventOutcome
  /** What the event says instead of an owner. */
  readonly unreadableOwner?: string
}

interface BillingOptions {
  readonly processors: readonly ProcessorConfig[]
  readonly returnOrigins: readonly string[]
  readonly proxies: Proxies
  readonly registry: Registry
  readonly log: Logger
  readonly now: Clock
}

/** Opens billing with every configured processor; `undefined` if none is configured. */
export async function openBilling(database: Database, options: BillingOptions): Promise<Billing | undefined> {
  const { proxies, log, now } = options
  const configured = options.processors.filter(isConfigured)
  if (configured.length === 0) return undefined
  const open = configured.map(async (config) => ({ ...config, ...(await config.open({ proxies, log, now })) }))
  return createBilling(database, await Promise.all(open), options)
}

type Processor = ProcessorConfig & OpenProcessor

function createBilling(
  database: Database,
  processors: readonly Processor[],
  { registry, log, now, returnOrigins }: Omit<BillingOptions, 'processors'>,
): Billing {
  const byId = new Map(processors.map((processor) => [processor.id, processor]))
  const metrics = createBillingMetrics(database, registry)
  const warnUnmapped = unmappedWarning(database, log)
  const sources = processors.flatMap(sourcesOf)
  return {
    processors,
    sources,
    manualSync: createManualSync(database, sources, log),
    checkout: processors.flatMap((processor) => checkoutsOf(processor, database, now))[0],
    returnOrigins,
    async receive(processorId, bytes, headers) {
      const processor = byId.get(processorId) ?? refuse('webhook_unsigned')
      const event = processor.readEvent(bytes ?? Buffer.alloc(0), headers)
      const outcome = await applyEvent(database, event, { processor: processorId, api: processor.subscriptions })
      metrics.countEvent(event.type, outcome)
      if (outcome === 'applied') await warnUnmapped(event)
      const unreadable = event.customer?.claims.find(({ kind }) => kind === 'unreadable')
      if (!unreadable) return { outcome }
      const customerId = event.customer?.id
      log.warn({ processor: processorId, customerId, owner: unreadable.value }, 'the owner of a customer is unreadable')
      return { outcome, unreadableOwner: unreadable.value }
    },
  }
}

function sourcesOf({ id, title, subscriptions }: Processor): SubscriptionSource[] {
  return subscriptions ? [{ processor: id, title, ...subscriptions }] : []
}

function checkoutsOf({ id, checkout }: Processor, database: Database, now: Clock): CheckoutProcessor[] {
  return checkout ? [{ processor: id, endOfWindow: (call) => endOfWindow(database, call, now), ...checkout }] : []
}

/** Warns once about each first price without a plan: its subscriptions are stored and shown with the price's id, and grant nothing. */
function unmappedWarning(database: Database, log: Logger) {
  const warned = new Set<string>()
  return async ({ subscription }: WebhookEvent): Promise<void> => {
    const priceIds = subscription?.snapshot.items.map(({ priceId }) => priceId) ?? []
    const [priceId] = priceIds
    if (priceId === undefined || warned.has(priceId) || (await isMapped(database, priceIds))) return
    warned.add(priceId)
    log.warn({ priceId }, 'no plan is mapped to this price: its subscriptions grant nothing')
  }
}
