import { isIP } from 'node:net'
import type { Logger } from 'pino'
import type { SettingsReader } from '../../platform/settings.ts'
import type { AssertionCredential, NewCredential } from './passkey-contract.ts'

/** COSE: EdDSA, ES256 and RS256. Every authenticator supports one of them. */
export const passkeyAlgorithms = [-8, -7, -257]

/** The result of a verified registration. */
export interface VerifiedCredential {
  /** Base64url. */
  readonly id: string
  readonly publicKey: Uint8Array
  readonly signCount: number
  readonly transports: readonly string[]
  readonly isBackedUp: boolean
  readonly aaguid: string
}

/** The result of a verified assertion. */
export interface VerifiedUse {
  readonly signCount: number
  readonly isBackedUp: boolean
}

interface Ceremony {
  readonly settings: PasskeySettings
  /** The challenge in the client data. The caller checks that it is open. */
  readonly challenge: string
  readonly log: Logger
}

/**
 * The challenge in the client data of a credential. `undefined` for invalid client data, and for a cross-origin iframe,
 * where users do not see which site asks for their passkey (WebAuthn §13.4.9).
 */
export function challengeOf({ response }: NewCredential | AssertionCredential): string | undefined {
  const data = parsed(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
  if (typeof data !== 'object' || data === null || !('challenge' in data)) return undefined
  if ('crossOrigin' in data && data.crossOrigin !== false) return undefined
  return typeof data.challenge === 'string' ? data.challenge : undefined
}

/** Returns `undefined` if the credential does not match the options. Source: WebAuthn Level 3 §7.1. */
export async function verifyNewCredential(
  { settings, challenge, log }: Ceremony,
  credential: NewCredential,
): Promise<VerifiedCredential | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  return accepted(log, async () => {
    const { response } = credential
    // Rejects attestations with certificates: the library would fetch their revocation lists over the network.
    const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
    const format = attestation.get('fmt')
    const hasCertificates = attestation.get('attStmt').get('x5c') !== undefined
    if (format !== 'none' && (format !== 'packed' || hasCertificates))
      throw new Error(`The attestation format ${format} was not requested.`)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: [...settings.origins],
      expectedRPID: settings.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: passkeyAlgorithms,
    })
    if (!verified) throw new Error('The attestation does not match the key.')
    const { id, publicKey, counter } = registrationInfo.credential
    if (id !== credential.id) throw new Error('The credential id does not match the key.')
    const { credentialBackedUp: isBackedUp, aaguid } = registrationInfo
    return { id, publicKey, signCount: counter, transports: response.transports ?? [], isBackedUp, aaguid }
  })
}

/**
 * Returns `undefined` if the assertion does not match the passkey and the challenge. The caller checks the counter.
 * Source: WebAuthn Level 3 §7.2.
 */
export async function verifyUse(
  { settings, challenge, log }: Ceremony,
  credential: AssertionCredential,
  publicKey: Uint8Array<ArrayBuffer>,
): Promise<VerifiedUse | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  return accepted(log, async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: [...settings.origins],
      expectedRPID: settings.rpId,
      requireUserVerification: true,
      credential: { id: credential.id, publicKey, counter: 0 },
    })
    if (!verified) throw new Error('The signature is wrong.')
    return { signCount: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp }
  })
}

/**
 * The library throws for everything that it does not accept. Clients get no reason. The log has it, because a wrong
 * setting may be the cause.
 */
async function accepted<Result>(log: Logger, verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify()
  } catch (error) {
    log.info({ err: error }, 'rejected a passkey')
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface PasskeySettings {
  /** The domain that passkeys belong to. Browsers offer them only there. */
  readonly rpId: string
  /** Origins of pages and apps that may use the passkeys, compared exactly. */
  readonly origins: readonly string[]
}

/**
 * Returns `undefined` if browsers cannot use passkeys with these settings. By default passkeys belong to the public
 * address, which may be an IP address.
 */
export function readPasskeySettings(read: SettingsReader, publicUrl: string): PasskeySettings | undefined {
  const home = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined
  const rpId = read.text(
    'MUSTER_WEBAUTHN_RP_ID',
    'Domain that passkeys belong to. Changing it makes existing passkeys unusable. By default the host of MUSTER_PUBLIC_URL.',
    '',
  )
  if (rpId !== '' && !isDomain(rpId))
    read.faults.push('MUSTER_WEBAUTHN_RP_ID must be a domain in lower case, such as example.com, or localhost.')
  const listed = read.list(
    'MUSTER_WEBAUTHN_ORIGINS',
    'Origins of pages that may use passkeys, and android:apk-key-hash:… for apps. By default the origin of MUSTER_PUBLIC_URL.',
    passkeyOriginFault,
  )
  const own = home && isSecure(home) ? [home.origin] : []
  const settings = { rpId: rpId || (home?.hostname ?? ''), origins: listed.length > 0 ? listed : own }
  return isDomain(settings.rpId) && settings.origins.length > 0 ? settings : undefined
}

/** The origins for /.well-known/webauthn, if one of them is outside the passkeys' domain. Otherwise empty. */
export function relatedOrigins({ rpId, origins }: PasskeySettings): readonly string[] {
  const pages = origins.filter((origin) => URL.canParse(origin) && new URL(origin).hostname !== '')
  const isOfDomain = (origin: string) => `.${new URL(origin).hostname}`.endsWith(`.${rpId}`)
  return pages.every(isOfDomain) ? [] : pages
}

/** Browsers do not accept an IP address as the domain of a passkey. */
function isDomain(name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/.test(name) && isIP(name) === 0
}

function passkeyOriginFault(value: string): string | undefined {
  if (/^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(value)) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.origin !== value || value.includes('*'))
    return 'must contain origins as browsers send them, such as https://app.example.com, or android:apk-key-hash:… with the hash in base64url.'
  return isSecure(url) ? undefined : 'must contain https origins; http is for localhost only.'
}

function isSecure({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' || (protocol === 'http:' && (hostname === 'localhost' || hostname.endsWith('.localhost')))
  )
}
