import { networkFault } from '../platform/http/client-address.ts'
import type { SettingsReader } from '../platform/settings.ts'

export type WebhookSettings = ReturnType<typeof readWebhookSettings>

/** Where webhooks may be sent. */
export function readWebhookSettings(read: SettingsReader) {
  return {
    allowedNetworks: read.list(
      'MUSTER_WEBHOOK_NETWORKS',
      'Addresses or networks outside the public Internet that may receive webhooks, such as 10.20.0.0/16. By default only public addresses may.',
      networkFault,
    ),
    // Development only: on a server, every program on the machine would be reachable.
    allowsLoopback: read.boolean(
      'MUSTER_WEBHOOK_LOOPBACK',
      'Whether webhooks may be sent to this machine, also over http. For development only.',
      false,
    ),
  }
}
