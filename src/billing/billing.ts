import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { Secret } from '../secret.ts'
import { type BillingMetrics, createBillingMetrics } from './metrics.ts'
import type { News, Processor } from './news.ts'
import { isMapped } from './plans.ts'
import { type EventOutcome, settle } from './settle.ts'

export interface Billing {
  /** Takes in one webhook: resolves when what it tells is committed. Problems: those of `Processor.read` and of `settle`. */
  receive(bytes: Buffer | undefined, headers: Headers): Promise<EventOutcome>
  readonly processor: Processor
  readonly metrics: BillingMetrics
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface BillingOptions {
  readonly secretKey?: Secret | undefined
  readonly webhookSecret?: Secret | undefined
  readonly url: string
  readonly log: Logger
  readonly now: Clock
}

/** The billing room, or nothing where no payment processor is configured. */
export async function openBilling(database: Database, options: BillingOptions): Promise<Billing | undefined> {
  const { secretKey, webhookSecret, url, log, now } = options
  if (!webhookSecret && !secretKey) return undefined
  // Loaded only where it is used: it takes as long as everything else together.
  const [{ newStripe }, { stripeProcessor }] = await Promise.all([
    import('./stripe/client.ts'),
    import('./stripe/stripe.ts'),
  ])
  const client = secretKey && newStripe(secretKey, url)
  return createBilling(database, stripeProcessor({ webhookSecrets: webhookSecret, client, log, now }), log)
}

export function createBilling(database: Database, processor: Processor, log: Logger): Billing {
  const metrics = createBillingMetrics(database)
  const told = new Set<string>()

  /** Once for each price: the row is kept, shown by its price id, and grants nothing. */
  async function tellUnmapped({ subscription }: News): Promise<void> {
    const [priceId] = subscription?.snapshot.priceIds ?? []
    if (subscription === undefined || priceId === undefined || told.has(priceId)) return
    if (await isMapped(database, subscription.snapshot.priceIds)) return
    told.add(priceId)
    log.warn({ priceId }, 'this price belongs to no plan: its subscriptions grant nothing until it is mapped')
  }

  return {
    processor,
    metrics,
    async receive(bytes, headers) {
      const news = processor.read(bytes ?? Buffer.alloc(0), headers)
      const outcome = await settle(database, news, processor.source)
      metrics.countEvent(news.type, outcome)
      if (outcome === 'applied') await tellUnmapped(news)
      return outcome
    },
  }
}
