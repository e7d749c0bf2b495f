import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import type { Encryption } from './encryption.ts'
import { addSigningKey, lockSigningKeys } from './signing-keys.ts'

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

const signsFromStatement = {
  name: 'signing_key_signs_from',
  text: `select signs_from from signing_key where kid = $1`,
}
