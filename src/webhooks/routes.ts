import { changedBy } from '../identity/administrators.ts'
import { type Input, jsonText, operations } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { answerPage, type Cursors } from '../platform/http/cursors.ts'
import { endpointContracts, secretOverlapSecondsDefault } from './contract.ts'
import { readDeliveriesPage, replayDelivery, replayFailed, sendTestEvent } from './deliveries.ts'
import { deliveriesPageSizeDefault, deliveryContracts, type WebhookDeliveries } from './deliveries-contract.ts'
import {
  changeEndpoint,
  createEndpoint,
  type Endpoints,
  listEndpoints,
  removeEndpoint,
  requireReadable,
  rotateSecret,
} from './endpoints.ts'

/** The operations for administrators. src/billing receives the webhooks of payment processors. */
export function webhookEndpoints(endpoints: Endpoints) {
  return operations(endpointContracts, {
    list: async () => ({ webhooks: await listEndpoints(endpoints.database) }),
    create: (input) => createEndpoint(endpoints, changedBy(input), input.body),
    change: (input) => changeEndpoint(endpoints, changedBy(input), { id: input.params.webhookId, change: input.body }),
    rotate: (input) => {
      const { overlapSeconds = secretOverlapSecondsDefault } = input.body
      return rotateSecret(endpoints, changedBy(input), { id: input.params.webhookId, overlapSeconds })
    },
    remove: (input) => removeEndpoint(endpoints, changedBy(input), input.params.webhookId),
  })
}

export function webhookDeliveries({ database }: Endpoints, cursors: Cursors) {
  return operations(deliveryContracts, {
    test: async (input) => ({ deliveries: await sendTestEvent(database, changedBy(input), input.params.webhookId) }),
    list: (input) => listDeliveries(database, cursors, input),
    replayOne: async (input) => {
      const { webhookId: endpointId, deliveryId } = input.params
      return { deliveries: await replayDelivery(database, changedBy(input), { endpointId, deliveryId }) }
    },
    replay: async (input) => {
      const { webhookId: endpointId } = input.params
      const { since } = input.body
      return { deliveries: await replayFailed(database, changedBy(input), { endpointId, since }) }
    },
  })
}

/** Pages lead in both directions. */
async function listDeliveries(database: Rows, cursors: Cursors, input: Input<typeof deliveryContracts.list>) {
  const { params, query, reply } = input
  const { webhookId: endpointId } = params
  const { limit = deliveriesPageSizeDefault, cursor, state } = query
  await requireReadable(database, changedBy(input), endpointId)
  const path = deliveryContracts.list.path.replace('{webhookId}', endpointId)
  const list = { cursors, path, query: { ...query, limit }, binding: [state], start: newest, end: oldest }
  const body = await answerPage(list, { cursor, reply }, ({ isBefore, position: after }) =>
    readDeliveriesPage(database, { endpointId, state, after, limit, isBefore }),
  )
  return jsonText<WebhookDeliveries>(reply, body)
}

const newest = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const
const oldest = ['-infinity', '00000000-0000-0000-0000-000000000000'] as const
