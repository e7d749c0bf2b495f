import { builtInIssuer, type IssuerNames, issuerNames } from '../identity/issuers/names.ts'
import { emailFault } from '../platform/email.ts'
import type { SettingsReader } from '../platform/settings.ts'
import { readPasskeySettings } from './factors/webauthn.ts'
import type { EncryptionKeys } from './keys/encryption.ts'

/** The issuers with which users sign in, by their names in the table `identity`. */
export function acceptedIssuersOf({
  issuer,
  issuers,
}: BuiltInSettings & { readonly issuers: readonly { readonly issuer: string }[] }): readonly string[] {
  return [...(issuer.isEnabled ? [builtInIssuer] : []), ...issuers.map((entry) => entry.issuer)]
}

/** The names of issuers: outside, the built-in issuer has the public address. */
export function issuerNamesOf({ issuer, publicUrl }: BuiltInSettings & { readonly publicUrl: string }): IssuerNames {
  return issuerNames(issuer.isEnabled ? { issuer: publicUrl, identityIssuer: builtInIssuer } : undefined)
}

export function encryptionKeysOf({
  issuer: { encryptionKey, previousEncryptionKey },
  dataDir,
}: {
  readonly issuer: Pick<EncryptionKeys, 'encryptionKey' | 'previousEncryptionKey'>
  readonly dataDir: string
}): EncryptionKeys {
  return { encryptionKey, previousEncryptionKey, dataDir }
}

/** The part of the configuration with the built-in issuer. */
interface BuiltInSettings {
  readonly issuer: { readonly isEnabled: boolean }
}

export function readSignInSettings(read: SettingsReader, publicUrl: string) {
  return {
    isEnabled: read.boolean('MUSTER_BUILT_IN_ISSUER', 'Whether the built-in issuer is enabled.', true),
    encryptionKey: read.secret(
      'MUSTER_ENCRYPTION_KEY',
      'Encrypts signing keys, factor secrets and webhook secrets at rest: 32 bytes as base64. With the embedded database the default is a key file in MUSTER_DATA_DIR.',
      keyFault,
    ),
    previousEncryptionKey: read.secret(
      'MUSTER_ENCRYPTION_KEY_PREVIOUS',
      'The previous MUSTER_ENCRYPTION_KEY. It decrypts values that are not re-encrypted yet.',
      keyFault,
    ),
    signUp: read.oneOf('MUSTER_SIGN_UP', 'Who may sign up.', ['open', 'invitation', 'closed'], 'closed'),
    // NIST SP 800-63B §3.1.1.2 for a password that is the only factor.
    passwordLengthMin: read.integer(
      'MUSTER_PASSWORD_LENGTH_MIN',
      'Minimum length of new passwords, in characters. Existing passwords stay valid.',
      { fallback: 15, min: 8, max: 64 },
    ),
    passwordWords: read.list(
      'MUSTER_PASSWORD_WORDS',
      'Words that new passwords must not consist of, such as names of the company and its products.',
      () => undefined,
    ),
    ...readBreachedPasswords(read),
    firstAdmin: readFirstAdmin(read),
    // Never derived from the request: a forged Host header would send the owner, with the token, to an attacker.
    linkUrl: read.url(
      'MUSTER_LINK_URL',
      'Page that links in mails open. The default is /auth/link at MUSTER_PUBLIC_URL.',
      `${publicUrl}/auth/link`,
    ),
    passkeys: readPasskeySettings(read, publicUrl),
    // Short, because a leaked token stays valid until it expires, unless its session ends.
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
    // At least the longest lifetime of an access token, which keeps an idle session in use.
    sessionIdleSeconds: read.integer(
      'MUSTER_SESSION_IDLE_SECONDS',
      'Seconds after which a session that is not refreshed ends.',
      { fallback: 14 * 86_400, min: 3_600, max: 365 * 86_400 },
    ),
  }
}

function readBreachedPasswords(read: SettingsReader) {
  const path = read.text(
    'MUSTER_BREACHED_PASSWORDS',
    'File of breached passwords, written by muster passwords build-list. New passwords must not be in it.',
    '',
  )
  const url = read.url(
    'MUSTER_PWNED_PASSWORDS_URL',
    'URL of a service with the API of Pwned Passwords, such as https://api.pwnedpasswords.com/range. It receives five digits of the hash of each new password. If it does not respond within a second, the password is accepted.',
    '',
  )
  return { breachedPasswords: path || undefined, pwnedPasswordsUrl: url || undefined }
}

function readFirstAdmin(read: SettingsReader) {
  return {
    email: read.text('MUSTER_FIRST_ADMIN_EMAIL', 'Email of the first administrator.', 'admin@muster.local', (value) => {
      const fault = emailFault(value)
      return fault && `${fault}.`
    }),
    password: read.secret(
      'MUSTER_FIRST_ADMIN_PASSWORD',
      'Password of the first administrator. With it, a database without an administrator gets one at the start, who must replace the password within seven days. Without it, only the embedded database gets one, with a generated password.',
      () => undefined,
    ),
  }
}

function keyFault(value: string): string | undefined {
  return Buffer.from(value, 'base64').length === 32
    ? undefined
    : 'must be 32 bytes as base64. Create one with: openssl rand -base64 32'
}
