import { changedBy } from '../identity/administrators.ts'
import { jsonText, operations } from '../identity/operation.ts'
import type { Grant } from '../identity/permission-scope.ts'
import type { Database } from '../platform/database/database.ts'
import {
  overlapSecondsDefault,
  type ServicePermissions,
  serviceKeyContracts,
  serviceKeyDaysDefault,
} from './contract.ts'
import { createServiceKey, readServiceKeys, revokeServiceKey, rotateServiceKey } from './service-keys.ts'

/** Administrative operations on service keys. */
export function serviceKeys(database: Database) {
  return operations(serviceKeyContracts, {
    list: async ({ reply }) => jsonText(reply, await readServiceKeys(database)),
    create: (input) => {
      const { name, permissions, expiresInDays = serviceKeyDaysDefault, orgId } = input.body
      const wanted = { name, grants: grantsOf(permissions), expiresInDays, organizationId: orgId }
      return createServiceKey(database, changedBy(input), wanted)
    },
    rotate: (input) => {
      const { overlapSeconds = overlapSecondsDefault } = input.body
      return rotateServiceKey(database, changedBy(input), { keyId: input.params.keyId, overlapSeconds })
    },
    revoke: (input) => revokeServiceKey(database, changedBy(input), input.params.keyId),
  })
}

function grantsOf(permissions: ServicePermissions): readonly Grant[] {
  return Object.entries(permissions).flatMap(([resource, actions]) => actions.map((action) => ({ resource, action })))
}
