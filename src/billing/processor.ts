import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import type { SettingsReader } from '../platform/settings.ts'
import { type WebhookContract, type WebhookDocumentation, webhookContract } from './contract.ts'
import type { CustomerUpdate, Snapshot, WebhookEvent } from './events.ts'
import type { Payer } from './payer.ts'
import { ProcessorSettings, type SecretSetting } from './processor-settings.ts'
import type { WebhookHeaders } from './signature.ts'

/**
 * What the file of a payment processor declares. The service loads that file at every start: load what is large, such as an SDK, in
 * `open`, which runs only where the processor is configured.
 */
export interface ProcessorDeclaration<Settings> {
  /** The name of its file or folder, and the end of its webhook's path: `/webhooks/<id>`. */
  readonly id: string
  /** Its name in texts. */
  readonly title: string
  readonly settings: (read: ProcessorSettings) => Settings
  readonly webhook: WebhookDocumentation
  readonly open: (settings: Settings, context: ProcessorContext) => Promise<OpenProcessor>
}

export interface ProcessorContext {
  readonly log: Logger
  readonly now: Clock
}

/** What billing calls of a processor. */
export interface OpenProcessor {
  /**
   * Verifies a webhook and reads its event. `bytes` is the body as it came.
   * Problems: `webhook_unsigned`, `webhook_outdated`, `webhook_unreadable`, `body_malformed`.
   */
  readEvent(bytes: Buffer, headers: WebhookHeaders): WebhookEvent
  /** Present where the processor has an API for subscriptions and a key is configured. */
  readonly subscriptions?: SubscriptionApi
  /** Present where the processor has pages for buying and a key is configured. */
  readonly checkout?: CheckoutApi
}

export interface SubscriptionApi {
  /** One subscription as it is now, with its product's name; `undefined` where there is none of that id. Problems: `processor_…`. */
  fetch(subscriptionId: string): Promise<FetchedSubscription | undefined>
  /** Every subscription, ended ones too, page by page; product names may be missing. Problems: `processor_…`. */
  pages(signal?: AbortSignal): AsyncIterable<readonly FetchedSubscription[]>
}

/** `notBefore`: by the processor's clock, the answer is no older than this. Absent where the answer carries no time. */
export interface FetchedSubscription {
  readonly snapshot: Snapshot
  readonly customer: CustomerUpdate
  readonly notBefore?: string
}

/** The processor's own pages for buying and for managing a subscription. Problems: `price_unknown`, `customer_unknown`, `processor_…`. */
export interface CheckoutApi {
  openCheckout(order: {
    readonly payer: Payer
    readonly priceId: string
    readonly quantity: number
    readonly successUrl: string
    readonly cancelUrl?: string | undefined
  }): Promise<{ readonly url: string }>
  openPortal(customerId: string, returnUrl: string): Promise<{ readonly url: string }>
}

/** A declared processor: its webhook's contract, and how to configure it. */
export interface PaymentProcessor {
  readonly id: string
  readonly title: string
  readonly webhook: WebhookContract
  configure(read: SettingsReader): ProcessorConfig
}

/** A processor with the settings of this installation. */
export interface ProcessorConfig extends Pick<PaymentProcessor, 'id' | 'title' | 'webhook'> {
  readonly secrets: readonly SecretSetting[]
  open(context: ProcessorContext): Promise<OpenProcessor>
}

/** Makes a payment processor of its declaration. Its file exports it as `processor`. */
export function declareProcessor<Settings>(declaration: ProcessorDeclaration<Settings>): PaymentProcessor {
  const { id, title } = declaration
  const webhook = webhookContract(declaration)
  const made: PaymentProcessor = {
    id,
    title,
    webhook,
    configure(read) {
      const reader = new ProcessorSettings(read)
      const settings = declaration.settings(reader)
      return { id, title, webhook, secrets: reader.secrets, open: (context) => declaration.open(settings, context) }
    },
  }
  declared.add(made)
  return made
}

/** A processor is in use as soon as one of its secrets is set. */
export function isConfigured({ secrets }: ProcessorConfig): boolean {
  return secrets.some(({ isSet }) => isSet)
}

const declared = new WeakSet<object>()

/** True only for what `declareProcessor()` returned: the border at which a file found in the folder becomes a processor. */
export function isProcessor(value: unknown): value is PaymentProcessor {
  return typeof value === 'object' && value !== null && declared.has(value)
}
