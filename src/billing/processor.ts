import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import type { Proxies } from '../platform/outgoing/proxies.ts'
import type { SettingsReader } from '../platform/settings.ts'
import { type WebhookContract, type WebhookDocumentation, webhookContract } from './contract.ts'
import type { CustomerUpdate, Snapshot, WebhookEvent } from './events.ts'
import type { Payer } from './payer.ts'
import { ProcessorSettings, type SecretSetting } from './processor-settings.ts'
import type { WebhookHeaders } from './signature.ts'

/**
 * The declaration in a payment processor's file. The service loads that file at every start, so load large modules such as an SDK in
 * `open`, which runs only if the processor is configured.
 */
interface ProcessorDeclaration<Settings> {
  /** The name of its file or folder, and the end of its webhook's path: `/webhooks/<id>`. */
  readonly id: string
  /** The name to display. */
  readonly title: string
  readonly settings: (read: ProcessorSettings) => Settings
  readonly webhook: WebhookDocumentation
  readonly open: (settings: Settings, context: ProcessorContext) => Promise<OpenProcessor>
}

export interface ProcessorContext {
  /** Every call to the processor must go through them. */
  readonly proxies: Proxies
  readonly log: Logger
  readonly now: Clock
}

/** The functions of a processor that billing calls. */
export interface OpenProcessor {
  /**
   * Verifies a webhook and reads its event. `bytes` is the raw body. Throws `webhook_unsigned`, `webhook_outdated`, `webhook_unreadable`,
   * `body_malformed`.
   */
  readEvent(bytes: Buffer, headers: WebhookHeaders): WebhookEvent
  /** Present if the processor has an API for subscriptions and a key is configured. */
  readonly subscriptions?: SubscriptionApi
  /** Present if the processor has a checkout and a key is configured. */
  readonly checkout?: CheckoutApi
}

export interface SubscriptionApi {
  /** The current state of one subscription, with its product's name; `undefined` if the id is unknown. Throws `processor_…`. */
  fetch(subscriptionId: string): Promise<FetchedSubscription | undefined>
  /** Every subscription, including ended ones, page by page; product names may be missing. Throws `processor_…`. */
  pages(signal?: AbortSignal): AsyncIterable<readonly FetchedSubscription[]>
}

/** `notBefore`: by the processor's clock, the response is no older than this. Absent if the response has no time. */
export interface FetchedSubscription {
  readonly snapshot: Snapshot
  readonly customer: CustomerUpdate
  readonly notBefore?: string
}

/**
 * The processor's own pages for buying and for managing a subscription. Orders with the same `sameAs` get the same page. Throws
 * `price_unknown`, `customer_unknown`, `processor_…`.
 */
export interface CheckoutApi {
  openCheckout(order: PageOrder & { readonly payer: Payer }): Promise<{ readonly url: string }>
  /**
   * A page that changes a subscription to a price; undefined if the subscription has ended at the processor. Throws `subscription_exists`
   * too, if the processor does not offer that change.
   */
  openChange(
    order: PageOrder & { readonly subscription: NonNullable<Payer['subscription']> },
  ): Promise<{ readonly url: string } | undefined>
  openPortal(customerId: string, returnUrl: string): Promise<{ readonly url: string }>
}

interface PageOrder {
  readonly priceId: string
  readonly quantity?: number | undefined
  readonly successUrl: string
  readonly cancelUrl?: string | undefined
  readonly sameAs: string
}

/** A declared processor: the contract of its webhook, and how to configure it. */
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

/** Creates a payment processor from its declaration. Its file exports it as `processor`. */
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

/** A processor is enabled if one of its secrets is set. */
export function isConfigured({ secrets }: ProcessorConfig): boolean {
  return secrets.some(({ isSet }) => isSet)
}

const declared = new WeakSet<object>()

/** True only for what `declareProcessor()` returned. Checks the files in the folder. */
export function isProcessor(value: unknown): value is PaymentProcessor {
  return typeof value === 'object' && value !== null && declared.has(value)
}
