import type { Schemas } from '@muster/client'

type DeliveryState = Schemas['WebhookDelivery']['state']

/** Which deliveries, as the address bar has it. What is not known there is left out. */
export interface DeliveriesSearch {
  readonly state?: DeliveryState
  readonly cursor?: string
}

export const deliveryStates: readonly DeliveryState[] = ['pending', 'delivered', 'failed']

export function deliveriesSearch({ state, cursor }: Readonly<Record<string, unknown>>): DeliveriesSearch {
  const known = deliveryStates.find((one) => one === state)
  return { ...(known && { state: known }), ...(typeof cursor === 'string' && cursor !== '' && { cursor }) }
}
