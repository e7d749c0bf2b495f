import { createHash, randomInt } from 'node:crypto'
import type { Rows } from '../../platform/database/database.ts'
import type { Factors } from './contract.ts'

const codesPerAccount = 10
/** Excludes letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groupLengths = [5, 5, 5, 5, 6]
/**
 * Random bits of a code with 26 of these 31 characters: enough for a plain SHA-256 (ASVS 6.5.2, 11.5.1). Codes of
 * earlier releases have fewer.
 */
const bits = 128

/** Replaces all recovery codes of the account and returns the new ones. The database stores only hashes. */
export async function replaceRecoveryCodes(rows: Rows, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: codesPerAccount }, newCode)
  await rows.query(deleteStatement, [accountId])
  await rows.query(addStatement, [accountId, codes.map(hashOf), bits])
  return codes
}

/** Consumes a code. Of several concurrent calls, one returns true. */
export async function consumeRecoveryCode(rows: Rows, accountId: string, code: string): Promise<boolean> {
  return (await rows.query(consumeStatement, [accountId, hashOf(code)])).length === 1
}

/** Whether the account has this unused code. */
export async function hasRecoveryCode(rows: Rows, accountId: string, code: string): Promise<boolean> {
  return (await rows.query(findStatement, [accountId, hashOf(code)])).length === 1
}

/** The number of unused codes, and whether some have fewer bits than new ones. */
export async function readRecoveryCodes(rows: Rows, accountId: string): Promise<RecoveryCodes> {
  const [row] = await rows.query<RecoveryCodes>(readStatement, [accountId, bits])
  if (!row) throw new Error('The statement that counts recovery codes returned no row.')
  return row
}

type RecoveryCodes = Pick<Factors, 'recoveryCodesLeft' | 'recoveryCodesOutdated'>

export async function deleteRecoveryCodes(rows: Rows, accountId: string): Promise<void> {
  await rows.query(deleteStatement, [accountId])
}

function newCode(): string {
  const group = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  return groupLengths.map(group).join('-')
}

/** Ignores case, spaces and hyphens. */
function hashOf(code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '')
  return createHash('sha256').update(plain).digest()
}

const deleteStatement = { name: 'recovery_codes_delete', text: `delete from recovery_code where account_id = $1` }

const addStatement = {
  name: 'recovery_codes_add',
  text: `insert into recovery_code (account_id, hash, bits) select $1, unnest($2::bytea[]), $3`,
}

const findStatement = {
  name: 'recovery_code_find',
  text: `select hash from recovery_code where account_id = $1 and hash = $2`,
}

const consumeStatement = {
  name: 'recovery_code_consume',
  text: `delete from recovery_code where account_id = $1 and hash = $2 returning hash`,
}

/** $1 account, $2 bits of a new code. */
const readStatement = {
  name: 'recovery_codes_read',
  text: `
select count(*)::int as "recoveryCodesLeft", coalesce(bool_or(bits < $2), false) as "recoveryCodesOutdated"
from recovery_code where account_id = $1`,
}
