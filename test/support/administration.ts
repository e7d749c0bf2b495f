import type { Administration } from '../../src/identity/administrators.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { builtInIssuer } from '../../src/sign-in/issuer.ts'

/** As on the command line of an installation where users sign in with the built-in issuer only. */
export function administrationOf(database: Database): Administration {
  return { database, acceptedIssuers: [builtInIssuer] }
}
