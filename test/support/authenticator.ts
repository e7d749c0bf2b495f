import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor'

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256'

/** What the options of a registration say, as far as an authenticator needs it. */
export interface Creation {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}

/** What the options of a sign-in say, as far as an authenticator needs it. */
export interface Request {
  readonly challenge: string
  readonly rpId: string
}

/** What an honest browser and authenticator would do otherwise. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  readonly clientData?: object
  /** Of the authenticator data: bit 0 user present, bit 2 user verified, bit 6 attested credential. */
  readonly flags?: number
  readonly counter?: number
  readonly userHandle?: string | undefined
  readonly attestation?: { readonly fmt: string; readonly attStmt: Map<string, CBORType> }
  /** Signed by the key of another authenticator. */
  readonly signedBy?: Authenticator
}

/** An authenticator with one passkey, in software. It counts its uses, unless it is one that never does. */
export interface Authenticator {
  readonly id: string
  create(options: Creation, deviation?: Deviation): { readonly id: string; readonly response: object }
  get(options: Request, deviation?: Deviation): { readonly id: string; readonly response: object }
  sign(bytes: Buffer): Buffer
}

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

export function newAuthenticator({
  origin,
  algorithm = 'ES256',
  counts = true,
}: {
  readonly origin: string
  readonly algorithm?: Algorithm
  readonly counts?: boolean
}): Authenticator {
  const { privateKey, publicKey } = keyPairOf(algorithm)
  const id = randomBytes(24)
  let counter = 0
  let userHandle: string | undefined

  const clientData = (type: string, challenge: string, deviation: Deviation) =>
    Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? origin,
        crossOrigin: false,
        ...deviation.clientData,
      }),
    )

  const authenticator: Authenticator = {
    id: id.toString('base64url'),
    create({ challenge, rp, user }, deviation = {}) {
      userHandle = user.id
      const flags = deviation.flags ?? userPresent | userVerified | hasCredential
      const authData = Buffer.concat([
        headOf(deviation.rpId ?? rp.id, flags, deviation.counter ?? counter),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        Buffer.from(encodeCBOR(coseOf(algorithm, publicKey))),
      ])
      const { fmt, attStmt } = deviation.attestation ?? { fmt: 'none', attStmt: new Map<string, CBORType>() }
      const attestation = new Map<string, CBORType>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', Uint8Array.from(authData)],
      ])
      return credentialOf(id, {
        clientDataJSON: clientData('webauthn.create', challenge, deviation).toString('base64url'),
        attestationObject: Buffer.from(encodeCBOR(attestation)).toString('base64url'),
        transports: ['internal'],
      })
    },
    get({ challenge, rpId }, deviation = {}) {
      if (counts) counter += 1
      const flags = deviation.flags ?? userPresent | userVerified
      const authData = headOf(deviation.rpId ?? rpId, flags, deviation.counter ?? counter)
      const data = clientData('webauthn.get', challenge, deviation)
      const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()])
      const handle = 'userHandle' in deviation ? deviation.userHandle : userHandle
      return credentialOf(id, {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: (deviation.signedBy ?? authenticator).sign(signed).toString('base64url'),
        ...(handle !== undefined && { userHandle: handle }),
      })
    },
    sign: (bytes) =>
      algorithm === 'EdDSA' ? sign(null, bytes, privateKey) : createSign('sha256').update(bytes).sign(privateKey),
  }
  return authenticator
}

/** As a browser's `toJSON`, with a member that this service does not read. */
function credentialOf(id: Buffer, response: object) {
  const text = id.toString('base64url')
  return {
    id: text,
    rawId: text,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response,
  }
}

function headOf(rpId: string, flags: number, counter: number): Buffer {
  const head = Buffer.alloc(37)
  createHash('sha256').update(rpId).digest().copy(head)
  head.writeUInt8(flags, 32)
  head.writeUInt32BE(counter, 33)
  return head
}

function keyPairOf(algorithm: Algorithm): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return algorithm === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2048 })
}

/** COSE keys: RFC 9052 §7, RFC 9053 §7, RFC 8230 §4. */
function coseOf(algorithm: Algorithm, publicKey: KeyObject): Map<number, CBORType> {
  const jwk = publicKey.export({ format: 'jwk' })
  const bytes = (text = '') => Uint8Array.from(Buffer.from(text, 'base64url'))
  if (algorithm === 'ES256')
    return new Map<number, CBORType>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(jwk.x)],
      [-3, bytes(jwk.y)],
    ])
  if (algorithm === 'EdDSA')
    return new Map<number, CBORType>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(jwk.x)],
    ])
  return new Map<number, CBORType>([
    [1, 3],
    [3, -257],
    [-1, bytes(jwk.n)],
    [-2, bytes(jwk.e)],
  ])
}
