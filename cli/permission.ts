import type { Grant } from '../src/identity/authorize.ts'
import { permissionPattern } from '../src/identity/grants.ts'
import { Fault } from './fault.ts'

/** A permission as a person writes it. */
export function readPermission(text: string): Grant {
  const [, resource, action] = permissionPattern.exec(text) ?? []
  if (resource === undefined || action === undefined)
    throw new Fault(`${text} is no permission: write resource:action, such as reports:export.`)
  return { resource, action }
}
