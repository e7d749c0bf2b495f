import type { JWK } from 'jose'
import type { Issuer } from '../access/issuers.ts'
import type { Clock } from '../clock.ts'
import type { AccessToken } from '../contract/session.ts'
import type { Database } from '../database/database.ts'
import { refuse } from '../problems.ts'
import type { Secret } from '../secret.ts'
import { builtInEntry, mintAccessToken, type TokenSettings } from './access-tokens.ts'
import { findPerson } from './people.ts'
import type { Sealer } from './sealer.ts'
import { openSession } from './sessions.ts'
import { openSigningKeys } from './signing-keys.ts'

/** The optional built-in issuer: passwords, sessions and the tokens for them. */
export interface BuiltInIssuer {
  /** Its entry in the registry of those whose tokens are taken. */
  readonly entry: Issuer
  publishedKeys(): Promise<readonly JWK[]>
  /** Problem: `sign_in_refused`, whatever the reason. */
  signIn(email: string, password: Secret): Promise<AccessToken>
  /** A token for an operator at the machine itself, who has the database and so needs no password. */
  tokenFor(accountId: string): Promise<AccessToken>
}

export interface IssuerSettings extends TokenSettings {
  readonly sessionSeconds: number
}

export async function openIssuer(
  database: Database,
  { settings, sealer, now }: { settings: IssuerSettings; sealer: Sealer; now: Clock },
): Promise<BuiltInIssuer> {
  const keys = await openSigningKeys(database, sealer, now)

  async function start(accountId: string, amr: readonly string[]): Promise<AccessToken> {
    const session = await openSession(database, { accountId, amr, sessionSeconds: settings.sessionSeconds })
    return mintAccessToken(keys, settings, session, now)
  }

  return {
    entry: builtInEntry(keys, settings),
    publishedKeys: () => keys.published(),
    async signIn(email, password) {
      const accountId = (await findPerson(database, email, password)) ?? refuse('sign_in_refused')
      return start(accountId, ['pwd'])
    },
    tokenFor: (accountId) => start(accountId, ['operator']),
  }
}
