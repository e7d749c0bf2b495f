import { networkFault } from '../platform/http/client-address.ts'
import type { SettingsReader } from '../platform/settings.ts'

export type WebhookSettings = ReturnType<typeof readWebhookSettings>

/** Where webhooks may be sent. */
export function readWebhookSettings(read: SettingsReader) {
  return {
    allowedNetworks: read.list(
      'MUSTER_WEBHOOK_NETWORKS',
      'Addresses or networks outside the public Internet that webhooks may be sent to, such as 10.20.0.0/16. Without it they go to public addresses only.',
      networkFault,
    ),
    // For development: on a server every program of the machine could be reached.
    allowsLoopback: read.boolean(
      'MUSTER_WEBHOOK_LOOPBACK',
      'Whether webhooks may be sent to this machine, also with http. For development only.',
      false,
    ),
  }
}
