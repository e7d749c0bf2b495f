import type { FastifyRequest } from 'fastify'
import { jsonText, operation } from '../identity/operation.ts'
import type { Grant } from '../identity/permission-scope.ts'
import { originOfRequest } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import {
  overlapSecondsDefault,
  type ServicePermissions,
  serviceKeyCreateContract,
  serviceKeyDaysDefault,
  serviceKeyRevokeContract,
  serviceKeyRotateContract,
  serviceKeysContract,
} from './contract.ts'
import {
  type ChangedBy,
  createServiceKey,
  readServiceKeys,
  revokeServiceKey,
  rotateServiceKey,
} from './service-keys.ts'

/** Administrative operations on service keys. */
export function serviceKeys(database: Database) {
  return {
    list: operation(serviceKeysContract, async ({ reply }) => jsonText(reply, await readServiceKeys(database))),
    create: operation(serviceKeyCreateContract, async (input) => {
      const { name, permissions, expiresInDays = serviceKeyDaysDefault, orgId } = input.body
      const wanted = { name, grants: grantsOf(permissions), expiresInDays, organizationId: orgId }
      return createServiceKey(database, changedBy(input), wanted)
    }),
    rotate: operation(serviceKeyRotateContract, async (input) => {
      const { overlapSeconds = overlapSecondsDefault } = input.body
      return rotateServiceKey(database, changedBy(input), { keyId: input.params.keyId, overlapSeconds })
    }),
    revoke: operation(serviceKeyRevokeContract, async (input) =>
      revokeServiceKey(database, changedBy(input), input.params.keyId),
    ),
  }
}

function changedBy({ caller, request }: { readonly caller: UserCaller; readonly request: FastifyRequest }): ChangedBy {
  return { caller, origin: originOfRequest(request) }
}

function grantsOf(permissions: ServicePermissions): readonly Grant[] {
  return Object.entries(permissions).flatMap(([resource, actions]) => actions.map((action) => ({ resource, action })))
}
