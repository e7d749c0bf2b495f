import { isIP } from 'node:net'
import type { Logger } from 'pino'
import type { SettingsReader } from '../../platform/settings.ts'
import type { AssertionCredential, NewCredential } from './proof-contract.ts'

/** COSE: EdDSA, ES256 and RS256, which together every authenticator has. */
export const passkeyAlgorithms = [-8, -7, -257]

/** What a new credential has proved. */
export interface VerifiedCredential {
  /** Base64url. */
  readonly id: string
  readonly publicKey: Uint8Array
  readonly signCount: number
  readonly transports: readonly string[]
  readonly isBackedUp: boolean
  readonly aaguid: string
}

/** What the use of a passkey has proved. */
export interface VerifiedUse {
  readonly signCount: number
  readonly isBackedUp: boolean
}

interface Ceremony {
  readonly settings: PasskeySettings
  /** That the answer names; its caller knows whether it is open. */
  readonly challenge: string
  readonly log: Logger
}

/**
 * The challenge that the answer of an authenticator names. `undefined` for what is no client data, and for a page inside a page of
 * another origin: a user there does not see whose passkey is asked for (WebAuthn §13.4.9).
 */
export function challengeOf({ response }: NewCredential | AssertionCredential): string | undefined {
  const data = parsed(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
  if (typeof data !== 'object' || data === null || !('challenge' in data)) return undefined
  if ('crossOrigin' in data && data.crossOrigin !== false) return undefined
  return typeof data.challenge === 'string' ? data.challenge : undefined
}

/** `undefined` where the credential is not what was asked for. Source: WebAuthn Level 3 §7.1. */
export async function verifyNewCredential(
  { settings, challenge, log }: Ceremony,
  credential: NewCredential,
): Promise<VerifiedCredential | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  return accepted(log, async () => {
    const { response } = credential
    // Statements with certificates are not looked at: the library would ask their issuers over the network whether they are revoked.
    const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
    const format = attestation.get('fmt')
    const hasCertificates = attestation.get('attStmt').get('x5c') !== undefined
    if (format !== 'none' && (format !== 'packed' || hasCertificates))
      throw new Error(`The attestation ${format} was not asked for.`)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: [...settings.origins],
      expectedRPID: settings.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: passkeyAlgorithms,
    })
    if (!verified) throw new Error('The attestation is not that of the key.')
    const { id, publicKey, counter } = registrationInfo.credential
    if (id !== credential.id) throw new Error('The credential has another id than its key.')
    const { credentialBackedUp: isBackedUp, aaguid } = registrationInfo
    return { id, publicKey, signCount: counter, transports: response.transports ?? [], isBackedUp, aaguid }
  })
}

/** `undefined` where the answer is not that of this passkey to the challenge. The counter is its caller's. Source: WebAuthn Level 3 §7.2. */
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

/** The library throws for whatever it does not accept. Callers learn no reason; the log has it, because it may be a wrong setting. */
async function accepted<Result>(log: Logger, verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify()
  } catch (error) {
    log.info({ err: error }, 'a passkey was not accepted')
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

/** Where passkeys of this service are made and used. */
export interface PasskeySettings {
  /** The domain that passkeys belong to: a browser offers them at no other. */
  readonly rpId: string
  /** Of pages and apps that may use them, compared exactly. */
  readonly origins: readonly string[]
}

/** `undefined` where browsers would refuse passkeys: by default they belong to the public address, which may be no place for them. */
export function readPasskeySettings(read: SettingsReader, publicUrl: string): PasskeySettings | undefined {
  const home = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined
  const rpId = read.text(
    'MUSTER_WEBAUTHN_RP_ID',
    'Domain that passkeys belong to. Passkeys of another domain are lost. By default the host of MUSTER_PUBLIC_URL.',
    '',
  )
  if (rpId !== '' && !isDomain(rpId))
    read.faults.push('MUSTER_WEBAUTHN_RP_ID must be a domain in lower case, such as example.com, or localhost.')
  const listed = read.list(
    'MUSTER_WEBAUTHN_ORIGINS',
    'Origins whose pages may use passkeys, and android:apk-key-hash:… of apps. By default the origin of MUSTER_PUBLIC_URL.',
    passkeyOriginFault,
  )
  const own = home && isSecure(home) ? [home.origin] : []
  const settings = { rpId: rpId || (home?.hostname ?? ''), origins: listed.length > 0 ? listed : own }
  return isDomain(settings.rpId) && settings.origins.length > 0 ? settings : undefined
}

/** Pages of other domains than the passkeys': browsers ask the domain of the passkeys whether they may use them. */
export function relatedOrigins({ rpId, origins }: PasskeySettings): readonly string[] {
  const pages = origins.filter((origin) => URL.canParse(origin) && new URL(origin).hostname !== '')
  const isOfDomain = (origin: string) => `.${new URL(origin).hostname}`.endsWith(`.${rpId}`)
  return pages.every(isOfDomain) ? [] : pages
}

/** Browsers take no address for the domain of a passkey. */
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
