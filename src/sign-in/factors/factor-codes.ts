import type { Rows } from '../../platform/database/database.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { timeStepOf } from './totp.ts'

export interface FactorCode {
  readonly accountId: string
  readonly factorId: string
  readonly code: string
  /** True for a factor in use, false for one that waits for its first code. */
  readonly isVerified: boolean
}

/** The time step that the code belongs to; `undefined` where the account has no such factor, or the code is wrong. */
export async function verifyFactorCode(
  { database, encryption, now }: BuiltInIssuer,
  { accountId, factorId, code, isVerified }: FactorCode,
): Promise<number | undefined> {
  const [row] = await database.query<{ secret: Buffer }>(secretStatement, [factorId, accountId, isVerified])
  return row && timeStepOf(encryption.decrypt(row.secret, factorContext(factorId)), code, now())
}

/** Whether the account has this factor in use. */
export async function hasVerifiedFactor(rows: Rows, accountId: string, factorId: string): Promise<boolean> {
  return (await rows.query(secretStatement, [factorId, accountId, true])).length === 1
}

/** A code works once (RFC 6238 §5.2), and earlier codes stop working. Of several concurrent calls one returns true. */
export async function consumeTimeStep(rows: Rows, factorId: string, step: number): Promise<boolean> {
  return (await rows.query(consumeStatement, [factorId, step])).length === 1
}

/** The encryption context of a factor's secret: a secret that is copied to another row does not decrypt. */
export function factorContext(factorId: string): string {
  return `factor:${factorId}`
}

const secretStatement = {
  name: 'factor_secret',
  text: `select secret from factor where id = $1 and account_id = $2 and (verified_at is not null) = $3::boolean`,
}

const consumeStatement = {
  name: 'factor_consume_step',
  text: `update factor set last_step = $2 where id = $1 and verified_at is not null and last_step < $2 returning id`,
}
