import type { Logger } from 'pino'
import type { Issuer } from '../identity/issuers/verify-token.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import type { PasskeySettings } from './factors/webauthn.ts'
import type { Encryption } from './keys/encryption.ts'
import type { SigningKeys } from './keys/signing-keys.ts'
import type { BreachedPasswords, BreachedPasswordsSettings } from './passwords/breached-passwords.ts'
import type { HashingQueue, RefusalFloor } from './passwords/hashing-queue.ts'
import type { PasswordRules } from './passwords/password-rules.ts'
import type { AccessToken } from './sessions/contract.ts'

/** The audience of every token of the built-in issuer: this service. */
export const builtInAudience = 'muster'

export interface TokenSettings {
  /** The public address: the claim `iss`. */
  readonly issuer: string
  readonly accessTokenSeconds: number
}

interface IssuerSettings extends TokenSettings, PasswordRules, BreachedPasswordsSettings {
  readonly sessionSeconds: number
  /** A session that is not refreshed for this long ends. */
  readonly sessionIdleSeconds: number
  /** Who may sign up: anyone, invited emails, or nobody. */
  readonly signUp: 'open' | 'invitation' | 'closed'
  /** URL of the page that links open. */
  readonly linkUrl: string
  /** Absent if browsers could not use passkeys. */
  readonly passkeys: PasskeySettings | undefined
  /** Of one network, and of one signed-in user. */
  readonly signInsPerMinute: number
}

/** The optional built-in issuer and its dependencies. All state that outlives a request is in the database. */
export interface BuiltInIssuer {
  readonly database: Database
  readonly settings: IssuerSettings
  readonly encryption: Encryption
  readonly keys: SigningKeys
  /** Takes mails to users. Absent if no mail server is configured. */
  readonly outbox?: Outbox | undefined
  readonly hashing: HashingQueue
  readonly breached: BreachedPasswords
  /** Delays the rejection of wrong passwords. */
  readonly refusals: RefusalFloor
  readonly now: Clock
  readonly log: Logger
  /** The entry in the registry of trusted issuers. */
  readonly entry: Issuer
  /**
   * Issues an access token for the CLI, whose user has the database and needs no password. The session expires with the
   * token. Problem: `account_disabled`.
   */
  tokenFor(accountId: string): Promise<AccessToken>
}
