import { emailPattern, emailRules } from '../platform/http/formats.ts'
import type { SettingsReader } from '../platform/settings.ts'
import { readPasskeySettings } from './factors/webauthn.ts'
import { builtInIssuer } from './sessions/access-tokens.ts'

/** The issuers at which users sign in, by their names in the table `identity`. */
export function acceptedIssuersOf({ issuer, issuers }: IssuersInUse): readonly string[] {
  return [...(issuer.isEnabled ? [builtInIssuer] : []), ...issuers.map((entry) => entry.issuer)]
}

/** Of the configuration: the built-in issuer, and the entries of MUSTER_ISSUERS. */
interface IssuersInUse {
  readonly issuer: { readonly isEnabled: boolean }
  readonly issuers: readonly { readonly issuer: string }[]
}

/** The settings of the built-in issuer. */
export function readSignInSettings(read: SettingsReader, publicUrl: string) {
  return {
    isEnabled: read.boolean('MUSTER_BUILT_IN_ISSUER', 'Whether the built-in issuer is enabled.', true),
    encryptionKey: read.secret(
      'MUSTER_ENCRYPTION_KEY',
      'Encrypts signing keys, factor secrets and secrets of webhooks at rest: 32 bytes as base64. With the embedded database the default is a key file in MUSTER_DATA_DIR.',
      keyFault,
    ),
    previousEncryptionKey: read.secret(
      'MUSTER_ENCRYPTION_KEY_PREVIOUS',
      'The key before a change. It decrypts what is not encrypted with MUSTER_ENCRYPTION_KEY yet.',
      keyFault,
    ),
    signUp: read.oneOf('MUSTER_SIGN_UP', 'Who may sign up.', ['open', 'invitation', 'closed'], 'closed'),
    // NIST SP 800-63B §3.1.1.2 for a password that is the only factor.
    passwordLengthMin: read.integer(
      'MUSTER_PASSWORD_LENGTH_MIN',
      'Shortest new password, in characters. Passwords that exist stay good.',
      { fallback: 15, min: 8, max: 64 },
    ),
    passwordWords: read.list(
      'MUSTER_PASSWORD_WORDS',
      'More words that are no passwords here, such as names of the company and its products.',
      () => undefined,
    ),
    ...readBreachedPasswords(read),
    firstAdmin: readFirstAdmin(read),
    // A setting and nothing of a request: otherwise a forged Host header would lead the owner, with the token, to the attacker.
    linkUrl: read.url(
      'MUSTER_LINK_URL',
      'Page that the links of account recovery lead to. The default is /auth/link at MUSTER_PUBLIC_URL.',
      `${publicUrl}/auth/link`,
    ),
    passkeys: readPasskeySettings(read, publicUrl),
    // Short, because a leaked token stays valid for as long; a session can be ended at any moment.
    accessTokenSeconds: read.integer('MUSTER_ACCESS_TOKEN_SECONDS', 'Lifetime of an access token, in seconds.', {
      fallback: 900,
      min: 60,
      max: 3_600,
    }),
    sessionSeconds: read.integer('MUSTER_SESSION_SECONDS', 'Maximum lifetime of a session, in seconds.', {
      fallback: 30 * 86_400,
      min: 300,
      max: 365 * 86_400,
    }),
    // Not below the longest lifetime of an access token, with which an idle session can still be used.
    sessionIdleSeconds: read.integer(
      'MUSTER_SESSION_IDLE_SECONDS',
      'Seconds after which a session that is not refreshed ends.',
      { fallback: 14 * 86_400, min: 3_600, max: 365 * 86_400 },
    ),
    // A phone on a bad line loses answers; a thief has no longer to stay unnoticed.
    refreshGraceSeconds: 60,
  }
}

function readBreachedPasswords(read: SettingsReader) {
  const path = read.text(
    'MUSTER_BREACHED_PASSWORDS',
    'File of muster passwords build-list: no new password is one of the breached ones in it.',
    '',
  )
  const url = read.url(
    'MUSTER_PWNED_PASSWORDS_URL',
    'Address that is asked whether a new password is breached, such as https://api.pwnedpasswords.com/range. It is sent five digits of the hash. Without an answer in a second the password is accepted.',
    '',
  )
  return { breachedPasswords: path || undefined, pwnedPasswordsUrl: url || undefined }
}

function readFirstAdmin(read: SettingsReader) {
  return {
    email: read.text(
      'MUSTER_FIRST_ADMIN_EMAIL',
      'Address of the first administrator.',
      'admin@muster.local',
      (value) =>
        emailPattern.test(value) && value.length <= emailRules.maxLength ? undefined : 'must be an e-mail address.',
    ),
    password: read.secret(
      'MUSTER_FIRST_ADMIN_PASSWORD',
      'With it, a database without an administrator gets one at the start, who must replace this password within seven days. Without it, the embedded database gets one with a generated password.',
      () => undefined,
    ),
  }
}

function keyFault(value: string): string | undefined {
  return Buffer.from(value, 'base64').length === 32
    ? undefined
    : 'must be 32 bytes as base64. Make one with: openssl rand -base64 32'
}
