import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import type { Sealer } from './sealer.ts'
import { addSigningKey, lockSigningKeys } from './signing-keys.ts'

/** Longer than the key set may be cached (300 s), so that whoever verifies knows the key before the first token signed by it. */
export const publishedBeforeUseSeconds = 600
/** The longest life that an access token can be configured to have, and a minute for clocks that differ. */
const lastTokenSeconds = 3_600 + 60

export interface Rotation {
  readonly kid: string
  readonly signsFrom: Date
}

export interface RotationOptions {
  /**
   * For a key that leaked: the new one signs at once, and the old ones verify nothing any more. Every access token that was out
   * is refused within two minutes, and its holder refreshes it; sessions go on.
   */
  readonly withdrawsOld?: boolean
}

/**
 * Changes the signing key. The new one is published now and signs in ten minutes; the old one signs until then and verifies until
 * its last token has expired. Nodes notice without a restart. Problem: `rotation_running` where one is under way.
 */
export async function rotateSigningKey(
  database: Database,
  sealer: Sealer,
  { withdrawsOld = false }: RotationOptions = {},
): Promise<Rotation> {
  return database.transaction(async (rows) => {
    await lockSigningKeys(rows)
    const waitSeconds = withdrawsOld ? 0 : publishedBeforeUseSeconds
    if (!withdrawsOld && (await rows.query(waitingStatement, [])).length > 0) refuse('rotation_running')
    await rows.query(retireStatement, [withdrawsOld ? 0 : waitSeconds + lastTokenSeconds])
    const kid = await addSigningKey(rows, sealer, waitSeconds)
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

/** A key that does not sign yet. */
const waitingStatement = {
  name: 'signing_key_waiting',
  text: `select kid from signing_key where signs_from > now() and verifies_until > now() limit 1`,
}

/** $1 seconds that the keys known so far still verify. Never longer than they were to before. */
const retireStatement = {
  name: 'signing_key_retire',
  text: `update signing_key set verifies_until = least(verifies_until, now() + make_interval(secs => $1))`,
}

const signsFromStatement = {
  name: 'signing_key_signs_from',
  text: `select signs_from from signing_key where kid = $1`,
}
