import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import type { News, Processor, ProcessorId, SubscriptionSource } from './events.ts'
import { createBillingMetrics } from './metrics.ts'
import { isMapped } from './plans.ts'
import type { Sales } from './sales.ts'
import { type EventOutcome, settle } from './settle.ts'

export interface Billing {
  /** Takes in one webhook: resolves when what it tells is committed. Problems: those of `Processor.read` and of `settle`. */
  receive(processor: ProcessorId, bytes: Buffer | undefined, headers: Headers): Promise<EventOutcome>
  /** Those that are configured. */
  readonly processors: ReadonlyMap<ProcessorId, Processor>
  /** Where all subscriptions can be asked for, if anywhere. */
  readonly source?: SubscriptionSource | undefined
  /** Where people buy, if anywhere. */
  readonly sales?: Sales | undefined
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface BillingOptions {
  readonly stripe: {
    readonly secretKey?: Secret | undefined
    readonly webhookSecret?: Secret | undefined
    readonly url: string
  }
  readonly paddle?: { readonly webhookSecret?: Secret | undefined }
  readonly polar?: { readonly webhookSecret?: Secret | undefined }
  readonly registry: Registry
  readonly log: Logger
  readonly now: Clock
}

/** The billing room, or nothing where no payment processor is configured. Processors are loaded only where they are used. */
export async function openBilling(database: Database, options: BillingOptions): Promise<Billing | undefined> {
  const { stripe, paddle, polar, now } = options
  const processors: Processor[] = []
  if (stripe.secretKey || stripe.webhookSecret) processors.push(await openStripe(options))
  if (paddle?.webhookSecret) {
    const { paddleProcessor } = await import('./processors/paddle.ts')
    processors.push(paddleProcessor(paddle.webhookSecret, now))
  }
  if (polar?.webhookSecret) {
    const { polarProcessor } = await import('./processors/polar.ts')
    processors.push(polarProcessor(polar.webhookSecret, now))
  }
  return processors.length === 0 ? undefined : createBilling(database, processors, options)
}

async function openStripe({ stripe, log, now }: BillingOptions): Promise<Processor> {
  const { secretKey, webhookSecret, url } = stripe
  const [{ newStripe }, { stripeProcessor }] = await Promise.all([
    import('./processors/stripe/client.ts'),
    import('./processors/stripe/stripe.ts'),
  ])
  const client = secretKey && newStripe(secretKey, url)
  return stripeProcessor({ webhookSecrets: webhookSecret, client, log, now })
}

function createBilling(
  database: Database,
  list: readonly Processor[],
  { registry, log }: Pick<BillingOptions, 'registry' | 'log'>,
): Billing {
  const processors = new Map(list.map((processor) => [processor.id, processor]))
  const metrics = createBillingMetrics(database, registry)
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
    processors,
    source: list.find(({ source }) => source)?.source,
    sales: list.find(({ sales }) => sales)?.sales,
    async receive(id, bytes, headers) {
      const processor = processors.get(id) ?? refuse('webhook_unsigned')
      const news = processor.read(bytes ?? Buffer.alloc(0), headers)
      const outcome = await settle(database, news, processor.source)
      metrics.countEvent(news.type, outcome)
      if (outcome === 'applied') await tellUnmapped(news)
      return outcome
    },
  }
}
