import type { Proxies } from '../platform/outgoing/proxies.ts'
import { startWorkLoop } from '../platform/work-loop.ts'
import { createDelivering, type DeliveringParts } from './deliver.ts'
import type { WebhookSettings } from './settings.ts'
import { openSending } from './target.ts'

/** Sends webhooks in the background until it is stopped. Deliveries in progress then have some seconds to finish. */
export async function startWebhookLoop(
  parts: Omit<DeliveringParts, 'sending'> & { readonly settings: WebhookSettings; readonly proxies: Proxies },
): Promise<{ stop(): Promise<void> }> {
  const sending = await openSending(parts.settings, parts)
  const delivering = createDelivering({ ...parts, sending })
  const work = {
    run: (signal: AbortSignal) => delivering.start(signal),
    settled: () => delivering.settled(),
    close: () => sending.close(),
  }
  return startWorkLoop(work, (error) => parts.log.warn({ err: error }, 'sending webhooks failed'))
}
