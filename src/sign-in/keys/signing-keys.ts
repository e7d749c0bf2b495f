import {
  type CryptoKey,
  calculateJwkThumbprint,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import { lockStatement } from '../../platform/database/named-locks.ts'
import { refuse } from '../../platform/problems.ts'
import type { Encryption } from './encryption.ts'

export interface SigningKeys {
  /** The newest key that may sign. */
  signing(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey }>
  /** The published key set (RFC 7517 §5): every key that verifies now or later. */
  published(): Promise<readonly JWK[]>
  /** For `jwtVerify`. */
  readonly verifying: JWTVerifyGetKey
}

export const signingAlgorithm = 'EdDSA'

/** How soon a node loads a key that another node created. Also limits how often unknown key ids reach the database. */
const reloadPauseMs = 5_000
/** How long a withdrawn key still verifies on a node that has loaded it. */
const freshMs = 60_000

/** Opens the built-in issuer's keys. Creates the first key once, even if several nodes start at the same time. */
export async function openSigningKeys(database: Database, encryption: Encryption, now: Clock): Promise<SigningKeys> {
  await database.transaction(async (rows) => {
    await lockSigningKeys(rows)
    if ((await rows.query(publishedStatement, [])).length === 0) await addSigningKey(rows, encryption, 0)
  })
  let loaded = new Map<string, CryptoKey>()
  let loadedAtMs = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined
  let signer: { readonly kid: string; readonly privateKey: CryptoKey } | undefined

  async function load(): Promise<void> {
    const found = await database.query<{ kid: string; public: JWK }>(publishedStatement, [])
    loaded = new Map(await Promise.all(found.map(async (row) => [row.kid, await importKey(row.public)] as const)))
    loadedAtMs = now()
  }

  function reload(): Promise<void> {
    loading ??= load().finally(() => {
      loading = undefined
    })
    return loading
  }

  return {
    async signing() {
      const [row] = await database.query<{ kid: string; private: Buffer }>(signingStatement, [])
      if (!row) throw new Error('There is no signing key that may sign yet.')
      // The client may send its new token to this node immediately.
      if (!loaded.has(row.kid)) await reload()
      if (signer?.kid === row.kid) return signer
      const jwk: JWK = JSON.parse(encryption.decrypt(row.private, row.kid).toString())
      signer = { kid: row.kid, privateKey: await importKey(jwk) }
      return signer
    },
    async published() {
      const found = await database.query<{ public: JWK }>(publishedStatement, [])
      return found.map((row) => row.public)
    },
    async verifying({ kid = '' }) {
      const ageMs = now() - loadedAtMs
      if (ageMs >= freshMs || (ageMs >= reloadPauseMs && !loaded.has(kid))) await reload()
      const key = loaded.get(kid)
      if (!key) throw new errors.JWKSNoMatchingKey()
      return key
    },
  }
}

/**
 * Stores a new key, which is published now and signs after `signsInSeconds`. Returns its id. Call `lockSigningKeys`
 * first.
 */
export async function addSigningKey(rows: Rows, encryption: Encryption, signsInSeconds: number): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  const encrypted = encryption.encrypt(Buffer.from(JSON.stringify(await exportJWK(privateKey))), kid)
  const published = { ...publicJwk, kid, use: 'sig', alg: signingAlgorithm }
  await rows.query(insertStatement, [kid, published, encrypted, signsInSeconds])
  return kid
}

/** Prevents other transactions from adding or retiring a key until this transaction ends. */
async function lockSigningKeys(rows: Rows): Promise<void> {
  await rows.query(signingKeysLock, [])
}

/**
 * Whether the newest signing key can be decrypted. `encryption` is absent if the encryption key is lost. Only reads.
 */
export async function checkSigningKey(
  rows: Rows,
  encryption: Encryption | undefined,
): Promise<'none' | 'usable' | 'undecryptable'> {
  const [row] = await rows.query<{ kid: string; private: Buffer }>(newestStatement, [])
  if (!row) return 'none'
  if (encryption === undefined) return 'undecryptable'
  try {
    encryption.decrypt(row.private, row.kid)
    return 'usable'
  } catch {
    // Wrong key, value of another row, or damaged value: the remedy is the same.
    return 'undecryptable'
  }
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, signingAlgorithm)
  if (key instanceof Uint8Array) throw new Error('A signing key in the database is not an Ed25519 key.')
  return key
}

const signingKeysLock = lockStatement('signing_keys_lock', `'signing keys'`)

const publishedStatement = {
  name: 'signing_keys',
  text: `select kid, public from signing_key where verifies_until > now() order by signs_from desc, kid limit 100`,
}

const newestStatement = {
  name: 'signing_key_check',
  text: `select kid, private from signing_key where verifies_until > now() order by signs_from desc, kid limit 1`,
}

/** The newest key signs, even while the previous one still verifies. */
const signingStatement = {
  name: 'signing_key_newest',
  text: `
select kid, private from signing_key
where signs_from <= now() and verifies_until > now()
order by signs_from desc, kid
limit 1`,
}

const insertStatement = {
  name: 'signing_key_add',
  text: `
insert into signing_key (kid, public, private, signs_from, verifies_until)
values ($1, $2, $3, now() + make_interval(secs => $4), 'infinity')`,
}

/**
 * Longer than verifiers may cache the key set (300 s), so that they have the key before they see a token signed by it.
 */
const publishedBeforeUseSeconds = 600
/** The longest configurable lifetime of an access token, and a minute of clock skew. */
const lastTokenSeconds = 3_600 + 60

interface KeyRotation {
  readonly kid: string
  readonly signsFrom: Date
}

interface KeyRotationOptions {
  /**
   * For a leaked key: the new key signs immediately, and the old keys stop verifying. Within 2 minutes every access
   * token is rejected, and clients refresh it. Sessions continue.
   */
  readonly withdrawsOld?: boolean
}

/**
 * Replaces the signing key. The new key is published now and signs in 10 minutes. The old key signs until then, and
 * verifies until its last token has expired. Nodes load the new key without a restart.
 * Problem: `rotation_running` while a new key does not sign yet.
 */
export async function rotateSigningKey(
  database: Database,
  encryption: Encryption,
  { withdrawsOld = false }: KeyRotationOptions = {},
): Promise<KeyRotation> {
  return database.transaction(async (rows) => {
    await lockSigningKeys(rows)
    const waitSeconds = withdrawsOld ? 0 : publishedBeforeUseSeconds
    if (!withdrawsOld && (await rows.query(pendingStatement, [])).length > 0) refuse('rotation_running')
    await rows.query(retireStatement, [withdrawsOld ? 0 : waitSeconds + lastTokenSeconds])
    const kid = await addSigningKey(rows, encryption, waitSeconds)
    const target = { kind: 'signing_key', id: kid } as const
    await recordAudit(rows, { action: 'signing_key.rotated', target, details: { withdrawsOld } })
    return { kid, signsFrom: await signsFrom(rows, kid) }
  })
}

async function signsFrom(rows: Rows, kid: string): Promise<Date> {
  const [row] = await rows.query<{ signs_from: Date }>(signsFromStatement, [kid])
  if (!row) throw new Error('A signing key was inserted and not found.')
  return row.signs_from
}

const pendingStatement = {
  name: 'signing_key_pending',
  text: `select kid from signing_key where signs_from > now() and verifies_until > now() limit 1`,
}

/** $1 seconds for which the existing keys still verify. Never extends a key that ends earlier. */
const retireStatement = {
  name: 'signing_key_retire',
  text: `update signing_key set verifies_until = least(verifies_until, now() + make_interval(secs => $1))`,
}

const signsFromStatement = { name: 'signing_key_signs_from', text: `select signs_from from signing_key where kid = $1` }
