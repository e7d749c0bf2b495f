import type { Administration } from '../../src/identity/administrators.ts'
import { builtInIssuer } from '../../src/identity/issuers/names.ts'
import type { Database } from '../../src/platform/database/database.ts'

/** As on the command line of an installation where users sign in with the built-in issuer only. */
export function administrationOf(database: Database): Administration {
  return { database, acceptedIssuers: [builtInIssuer] }
}
