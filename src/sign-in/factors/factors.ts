import type { Rows } from '../../platform/database/database.ts'
import type { FactorName } from '../contract/tokens.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { stepOfCode } from './one-time-codes.ts'

/** The factors that a sign-in may be finished with, the oldest first. */
export async function verifiedFactors(rows: Rows, accountId: string): Promise<FactorName[]> {
  return rows.query<FactorName>(namesStatement, [accountId])
}

export interface FactorCode {
  readonly accountId: string
  readonly factorId: string
  readonly code: string
  /** Whether a factor is asked for that is in use, or one that waits for its first code. */
  readonly isVerified: boolean
}

/** The time step whose code this is, by this factor of this account; nothing where there is none. */
export async function stepOfFactor(
  { database, sealer, now }: BuiltInIssuer,
  { accountId, factorId, code, isVerified }: FactorCode,
): Promise<number | undefined> {
  const [row] = await database.query<{ secret: Buffer }>(secretStatement, [factorId, accountId, isVerified])
  return row && stepOfCode(sealer.open(row.secret, factorContext(factorId)), code, now())
}

/** A code works once (RFC 6238 §5.2), and so does every one before it. Of several at once one gets true. */
export async function spendStep(rows: Rows, factorId: string, step: number): Promise<boolean> {
  return (await rows.query(spendStatement, [factorId, step])).length === 1
}

/** What a factor's secret is sealed for: moved to another row it does not open. */
export function factorContext(factorId: string): string {
  return `factor:${factorId}`
}

const namesStatement = {
  name: 'factor_names',
  text: `
select id, friendly_name as "friendlyName" from factor
where account_id = $1 and verified_at is not null
order by id
limit 100`,
}

const secretStatement = {
  name: 'factor_secret',
  text: `select secret from factor where id = $1 and account_id = $2 and (verified_at is not null) = $3::boolean`,
}

const spendStatement = {
  name: 'factor_spend',
  text: `update factor set last_step = $2 where id = $1 and verified_at is not null and last_step < $2 returning id`,
}
