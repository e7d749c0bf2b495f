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
import type { Clock } from '../../platform/clock.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import type { Sealer } from './sealer.ts'

export interface SigningKeys {
  /** The newest key that may sign. */
  signing(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey }>
  /** The published set (RFC 7517 §5): every key that still verifies, or will. */
  published(): Promise<readonly JWK[]>
  /** For `jwtVerify`. */
  readonly verifying: JWTVerifyGetKey
}

export const signingAlgorithm = 'EdDSA'

/** How long a key that another node has just made may go unnoticed. Bounds what made-up key ids cost, too. */
const reloadPauseMs = 5_000
/** How long a key that was withdrawn may still verify on a node that knew it. */
const freshMs = 60_000

/** The built-in issuer's keys. The first is made here, once, however many nodes start together. */
export async function openSigningKeys(database: Database, sealer: Sealer, now: Clock): Promise<SigningKeys> {
  await database.transaction(async (rows) => {
    await rows.query(lockStatement, [])
    if ((await rows.query(publishedStatement, [])).length === 0) await addSigningKey(rows, sealer, 0)
  })
  let known = new Map<string, CryptoKey>()
  let loadedAtMs = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const found = await database.query<{ kid: string; public: JWK }>(publishedStatement, [])
    known = new Map(await Promise.all(found.map(async (row) => [row.kid, await importKey(row.public)] as const)))
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
      // Whoever gets a token here may come back with it at once.
      if (!known.has(row.kid)) await reload()
      const jwk: JWK = JSON.parse(sealer.open(row.private, row.kid).toString())
      return { kid: row.kid, privateKey: await importKey(jwk) }
    },
    async published() {
      const found = await database.query<{ public: JWK }>(publishedStatement, [])
      return found.map((row) => row.public)
    },
    async verifying({ kid = '' }) {
      const ageMs = now() - loadedAtMs
      if (ageMs >= freshMs || (ageMs >= reloadPauseMs && !known.has(kid))) await reload()
      const key = known.get(kid)
      if (!key) throw new errors.JWKSNoMatchingKey()
      return key
    },
  }
}

/**
 * Stores a new key that is published now and signs from `signsInSeconds` on. Answers its id. Whoever calls holds the lock of
 * `lockSigningKeys`.
 */
export async function addSigningKey(rows: Rows, sealer: Sealer, signsInSeconds: number): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  const sealed = sealer.seal(Buffer.from(JSON.stringify(await exportJWK(privateKey))), kid)
  const published = { ...publicJwk, kid, use: 'sig', alg: signingAlgorithm }
  await rows.query(insertStatement, [kid, published, sealed, signsInSeconds])
  return kid
}

/** Until the end of the transaction nobody else adds or retires a key. */
export async function lockSigningKeys(rows: Rows): Promise<void> {
  await rows.query(lockStatement, [])
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, signingAlgorithm)
  if (key instanceof Uint8Array) throw new Error('A signing key in the database is not an Ed25519 key.')
  return key
}

const lockStatement = {
  name: 'signing_key_lock',
  text: `select pg_advisory_xact_lock(hashtextextended('signing_key', 0))`,
}

const publishedStatement = {
  name: 'signing_keys',
  text: `select kid, public from signing_key where verifies_until > now() order by signs_from desc, kid limit 100`,
}

/** The newest key signs, also while the one before it still verifies. */
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
