import type { Logger } from 'pino'
import type { Issuer } from '../identity/issuers/verify-token.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { AccessToken } from './contract/tokens.ts'
import type { Sealer } from './keys/sealer.ts'
import { openSigningKeys, type SigningKeys } from './keys/signing-keys.ts'
import { builtInEntry, mintAccessToken, type TokenSettings } from './sessions/access-tokens.ts'
import { openSession } from './sessions/sessions.ts'

export interface IssuerSettings extends TokenSettings {
  readonly sessionSeconds: number
  /** Who may sign up by themselves. */
  readonly signUp: 'open' | 'invitation' | 'closed'
}

/** The optional built-in issuer: what its operations work with. Whatever they know for longer than a call is in the database. */
export interface BuiltInIssuer {
  readonly database: Database
  readonly settings: IssuerSettings
  readonly sealer: Sealer
  readonly keys: SigningKeys
  readonly now: Clock
  readonly log: Logger
  /** Its entry in the registry of those whose tokens are taken. */
  readonly entry: Issuer
  /** A token for an operator at the machine itself, who has the database and so needs no password. Its session ends with it. */
  tokenFor(accountId: string): Promise<AccessToken>
}

export async function openIssuer(
  database: Database,
  { settings, sealer, now, log }: Pick<BuiltInIssuer, 'settings' | 'sealer' | 'now' | 'log'>,
): Promise<BuiltInIssuer> {
  const keys = await openSigningKeys(database, sealer, now)
  return {
    database,
    settings,
    sealer,
    keys,
    now,
    log,
    entry: builtInEntry(keys, settings),
    async tokenFor(accountId) {
      const session = { accountId, amr: ['operator'], lifeSeconds: settings.accessTokenSeconds }
      return mintAccessToken(keys, settings, await openSession(database, session), now)
    },
  }
}
