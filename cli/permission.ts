import type { Grant } from '../src/identity/authorize.ts'
import { permissionPattern } from '../src/identity/grants.ts'
import { Fault } from './fault.ts'

/** Reads a permission such as `reports:export`. */
export function readPermission(text: string): Grant {
  const [, resource, action] = permissionPattern.exec(text) ?? []
  if (resource === undefined || action === undefined)
    throw new Fault(`${text} is not a permission: write resource:action, such as reports:export.`)
  return { resource, action }
}
