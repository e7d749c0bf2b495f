import type { Rows } from '../../platform/database/database.ts'
import { utcSecondsText } from '../../platform/database/utc-text.ts'
import type { Factor, FactorName } from './contract.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'

/** Maximum number of factors per account, including passkeys and unverified factors. */
export const factorsMax = 10

export interface FactorRow {
  readonly id: string
  readonly type: FactorName['type']
  readonly friendly_name: string
  readonly is_verified: boolean
}

/** The account's factors, including unverified ones. Lock the account before a write that depends on them. */
export async function readAllFactors(rows: Rows, accountId: string): Promise<FactorRow[]> {
  return rows.query<FactorRow>(allStatement, [accountId])
}

/** The factors that can complete a sign-in, the oldest first. */
export async function listFactorNames(rows: Rows, accountId: string): Promise<FactorName[]> {
  return rows.query<FactorName>(namesStatement, [accountId])
}

/** The verified factors with everything that their owner sees, the oldest first. */
export async function readFactors(rows: Rows, accountId: string): Promise<Factor[]> {
  const found = await rows.query<{ factor: Factor }>(listStatement, [accountId])
  return found.map(({ factor }) => factor)
}

/** Lock the account first. */
export async function renameFactorRow(rows: Rows, { id, type }: FactorRow, friendlyName: string): Promise<void> {
  await rows.query(renameStatements[type], [id, friendlyName])
}

/** Lock the account first. */
export async function removeFactorRow(rows: Rows, { id, type }: FactorRow): Promise<void> {
  await rows.query(removeStatements[type], [id])
}

/**
 * Removes all factors, including passkeys, and all recovery codes. Returns false if the account has no factor. Lock the
 * account first.
 */
export async function removeFactors(rows: Rows, accountId: string): Promise<boolean> {
  const removed = await rows.query(removeAllStatement, [accountId])
  await deleteRecoveryCodes(rows, accountId)
  return removed.length > 0
}

/** Removes the factors that were added since `since`. Deletes the recovery codes if no verified factor is left. */
export async function removeFactorsSince(rows: Rows, accountId: string, since: Date): Promise<void> {
  await rows.query(removeSinceStatement, [accountId, since])
  const left = await readAllFactors(rows, accountId)
  if (!left.some(({ is_verified }) => is_verified)) await deleteRecoveryCodes(rows, accountId)
}

const listStatement = {
  name: 'factors_of_account',
  text: `
select json_build_object('id', id, 'type', type, 'friendlyName', friendly_name,
                         'createdAt', ${utcSecondsText('created_at')}) as factor
from second_factor where account_id = $1 order by id limit 100`,
}

const namesStatement = {
  name: 'factor_names',
  text: `
select id, type, friendly_name as "friendlyName" from second_factor where account_id = $1 order by id limit 100`,
}

const allStatement = {
  name: 'factors_all',
  text: `
select id, 'totp' as type, friendly_name, verified_at is not null as is_verified from factor where account_id = $1
union all
select id, 'passkey', friendly_name, true from passkey where account_id = $1
order by id
limit 100`,
}

const renameStatements = {
  totp: { name: 'factor_rename', text: `update factor set friendly_name = $2 where id = $1` },
  passkey: { name: 'passkey_rename', text: `update passkey set friendly_name = $2 where id = $1` },
} as const

const removeStatements = {
  totp: { name: 'factor_remove', text: `delete from factor where id = $1` },
  passkey: { name: 'passkey_remove', text: `delete from passkey where id = $1` },
} as const

const removeSinceStatement = {
  name: 'factors_remove_since',
  text: `
with passkeys as (delete from passkey where account_id = $1 and created_at >= $2::timestamptz)
delete from factor where account_id = $1 and created_at >= $2::timestamptz`,
}

const removeAllStatement = {
  name: 'factors_remove',
  text: `
with removed as (delete from factor where account_id = $1 returning id),
removed_passkey as (delete from passkey where account_id = $1 returning id)
select id from removed union all select id from removed_passkey`,
}
