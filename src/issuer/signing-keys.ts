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
import type { Clock } from '../clock.ts'
import type { Database, Rows } from '../database/database.ts'
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

/** The built-in issuer's keys. The first is made here, once, however many nodes start together. */
export async function openSigningKeys(database: Database, sealer: Sealer, now: Clock): Promise<SigningKeys> {
  await database.transaction(async (rows) => {
    await rows.query(lockStatement, [])
    if ((await rows.query(usableStatement, [])).length === 0) await makeKey(rows, sealer)
  })
  let known = new Map<string, CryptoKey>()
  let loadedAtMs = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const found = await database.query<{ kid: string; public: JWK }>(usableStatement, [])
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
      const jwk: JWK = JSON.parse(sealer.open(row.private, row.kid).toString())
      return { kid: row.kid, privateKey: await importKey(jwk) }
    },
    async published() {
      const found = await database.query<{ public: JWK }>(usableStatement, [])
      return found.map((row) => row.public)
    },
    async verifying({ kid = '' }) {
      if (!known.has(kid) && now() - loadedAtMs >= reloadPauseMs) await reload()
      const key = known.get(kid)
      if (!key) throw new errors.JWKSNoMatchingKey()
      return key
    },
  }
}

async function makeKey(rows: Rows, sealer: Sealer): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  const sealed = sealer.seal(Buffer.from(JSON.stringify(await exportJWK(privateKey))), kid)
  await rows.query(insertStatement, [kid, { ...publicJwk, kid, use: 'sig', alg: signingAlgorithm }, sealed])
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

const usableStatement = {
  name: 'signing_keys',
  text: `select kid, public from signing_key where verifies_until > now() order by signs_from desc, kid limit 100`,
}

const signingStatement = {
  name: 'signing_key_newest',
  text: `
select kid, private from signing_key
where signs_from <= now() and verifies_until = 'infinity'
order by signs_from desc, kid
limit 1`,
}

const insertStatement = {
  name: 'signing_key_add',
  text: `
insert into signing_key (kid, public, private, signs_from, verifies_until)
values ($1, $2, $3, now(), 'infinity')`,
}
