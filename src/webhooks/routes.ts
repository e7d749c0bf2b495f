import type { FastifyRequest } from 'fastify'
import { route } from '../identity/mount.ts'
import { jsonText, type Operation, operation } from '../identity/operation.ts'
import { originOfRequest } from '../platform/audit/audit.ts'
import type { KnownUser } from '../platform/http/caller.ts'
import type { Cursors } from '../platform/http/cursors.ts'
import { pageLinkHeader, pageStartOf } from '../platform/http/two-way-pages.ts'
import {
  secretOverlapSecondsDefault,
  webhookChangeContract,
  webhookCreateContract,
  webhookRemoveContract,
  webhookRotateContract,
  webhooksContract,
} from './contract.ts'
import { readDeliveriesPage, replayDelivery, replayFailed, sendTestEvent } from './deliveries.ts'
import {
  deliveriesPageSizeDefault,
  type WebhookDeliveries,
  webhookDeliveriesContract,
  webhookReplayContract,
  webhookReplayOneContract,
  webhookTestContract,
} from './deliveries-contract.ts'
import {
  type ChangedBy,
  changeEndpoint,
  createEndpoint,
  type Endpoints,
  listEndpoints,
  removeEndpoint,
  requireReadable,
  rotateSecret,
} from './endpoints.ts'

/** The operations for administrators. src/billing receives the webhooks of payment processors. */
export function webhooksTable(endpoints: Endpoints, cursors: Cursors): readonly Operation[] {
  const webhook = webhookOperations(endpoints, cursors)
  return [
    route('GET /api/v1/admin/webhooks', 'webhooks:manage', webhook.list),
    route('POST /api/v1/admin/webhooks', 'webhooks:manage', webhook.create),
    route('PATCH /api/v1/admin/webhooks/{webhookId}', 'webhooks:manage', webhook.change),
    route('DELETE /api/v1/admin/webhooks/{webhookId}', 'webhooks:manage', webhook.remove),
    route('POST /api/v1/admin/webhooks/{webhookId}/rotate', 'webhooks:manage', webhook.rotate),
    route('POST /api/v1/admin/webhooks/{webhookId}/test', 'webhooks:manage', webhook.test),
    route('POST /api/v1/admin/webhooks/{webhookId}/replay', 'webhooks:manage', webhook.replay),
    route('GET /api/v1/admin/webhooks/{webhookId}/deliveries', 'webhooks:manage', webhook.deliveries),
    route(
      'POST /api/v1/admin/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
      'webhooks:manage',
      webhook.replayOne,
    ),
  ]
}

function webhookOperations(endpoints: Endpoints, cursors: Cursors) {
  const { database } = endpoints
  return {
    list: operation(webhooksContract, async () => ({ webhooks: await listEndpoints(database) })),
    create: operation(webhookCreateContract, (input) => createEndpoint(endpoints, changedBy(input), input.body)),
    change: operation(webhookChangeContract, (input) =>
      changeEndpoint(endpoints, changedBy(input), { id: input.params.webhookId, change: input.body }),
    ),
    rotate: operation(webhookRotateContract, (input) => {
      const { overlapSeconds = secretOverlapSecondsDefault } = input.body
      return rotateSecret(endpoints, changedBy(input), { id: input.params.webhookId, overlapSeconds })
    }),
    remove: operation(webhookRemoveContract, (input) =>
      removeEndpoint(endpoints, changedBy(input), input.params.webhookId),
    ),
    test: operation(webhookTestContract, async (input) => ({
      deliveries: await sendTestEvent(database, changedBy(input), input.params.webhookId),
    })),
    replayOne: operation(webhookReplayOneContract, async (input) => {
      const { webhookId: endpointId, deliveryId } = input.params
      return { deliveries: await replayDelivery(database, changedBy(input), { endpointId, deliveryId }) }
    }),
    replay: operation(webhookReplayContract, async (input) => {
      const { webhookId: endpointId } = input.params
      const { since } = input.body
      return { deliveries: await replayFailed(database, changedBy(input), { endpointId, since }) }
    }),
    deliveries: deliveriesOf(endpoints, cursors),
  }
}

/** Pages lead in both directions. */
function deliveriesOf({ database }: Endpoints, cursors: Cursors) {
  return operation(webhookDeliveriesContract, async (input) => {
    const { params, query, reply } = input
    const { webhookId: endpointId } = params
    const { limit = deliveriesPageSizeDefault, cursor, state } = query
    await requireReadable(database, changedBy(input), endpointId)
    const path = webhookDeliveriesContract.path.replace('{webhookId}', endpointId)
    const list = { cursors, binding: JSON.stringify([path, state]), start: newest, end: oldest }
    const place = pageStartOf(list, cursor)
    const { isBefore, position: after } = place
    const page = await readDeliveriesPage(database, { endpointId, state, after, limit, isBefore })
    const links = pageLinkHeader(list, place, page, { path, query: { ...query, limit } })
    if (links !== undefined) reply.header('link', links)
    return jsonText<WebhookDeliveries>(reply, page.body)
  })
}

const newest = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const
const oldest = ['-infinity', '00000000-0000-0000-0000-000000000000'] as const

function changedBy({ caller, request }: { readonly caller: KnownUser; readonly request: FastifyRequest }): ChangedBy {
  return { accountId: caller.accountId, origin: originOfRequest(request) }
}
