import type { Logger } from 'pino'
import type { Issuer } from '../identity/issuers/verify-token.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import type { PasskeySettings } from './factors/webauthn.ts'
import type { Encryption } from './keys/encryption.ts'
import type { SigningKeys } from './keys/signing-keys.ts'
import type { BreachedPasswords, BreachedPasswordsSettings } from './passwords/breached-passwords.ts'
import type { HashingQueue } from './passwords/hashing-queue.ts'
import type { PasswordRules } from './passwords/password-rules.ts'
import type { RefusalFloor } from './passwords/refusal-floor.ts'
import type { TokenSettings } from './sessions/access-tokens.ts'
import type { AccessToken } from './sessions/contract.ts'

export interface IssuerSettings extends TokenSettings, PasswordRules, BreachedPasswordsSettings {
  readonly sessionSeconds: number
  /** A session that is not refreshed for so long ends. */
  readonly sessionIdleSeconds: number
  /** How long a used refresh token is answered again. */
  readonly refreshGraceSeconds: number
  /** Who may sign up without an operator: anyone, invited addresses, or no one. */
  readonly signUp: 'open' | 'invitation' | 'closed'
  /** The page that links to accounts lead to. */
  readonly linkUrl: string
  /** Absent where browsers could not use passkeys. */
  readonly passkeys: PasskeySettings | undefined
}

/** The optional built-in issuer: what its operations work with. All state that outlives a call is in the database. */
export interface BuiltInIssuer {
  readonly database: Database
  readonly settings: IssuerSettings
  readonly encryption: Encryption
  readonly keys: SigningKeys
  /** Takes the mails to the owners of accounts; absent where no mail server is set. */
  readonly outbox?: Outbox | undefined
  /** Passwords are hashed within it. */
  readonly hashing: HashingQueue
  /** No new password is one of them. */
  readonly breached: BreachedPasswords
  /** When refused passwords are answered. */
  readonly refusals: RefusalFloor
  readonly now: Clock
  readonly log: Logger
  /** Its entry in the registry of trusted issuers. */
  readonly entry: Issuer
  /**
   * A token for the CLI, whose user has the database and needs no password. Its session expires with the token.
   * Problem: `account_disabled`.
   */
  tokenFor(accountId: string): Promise<AccessToken>
}
