import type { Rows } from '../platform/database/database.ts'
import { authorize, type Grant } from './authorize.ts'
import type { Caller } from './caller.ts'

/** Checks a permission in a handler. For operations whose contract does not name it yet. */
export function requirePermission(rows: Rows, caller: Caller, { resource, action }: Grant): Promise<string> {
  return authorize(rows, caller, `${resource}:${action}`)
}
