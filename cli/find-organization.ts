import { findOrganizations } from '../src/organizations/organizations.ts'
import type { Rows } from '../src/platform/database/database.ts'
import { Fault } from './errors.ts'

/** Finds an organization by name or ID. */
export async function findOrganization(rows: Rows, which: string): Promise<{ id: string; name: string }> {
  const [found, ...others] = await findOrganizations(rows, which)
  if (!found) throw new Fault(`No organization has the name or ID ${which}.`)
  if (others.length === 0) return found
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw new Fault(`Several organizations have the name ${which}. Use one of these IDs: ${ids}.`)
}
