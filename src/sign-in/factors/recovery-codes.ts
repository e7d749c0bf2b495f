import { createHash, randomInt } from 'node:crypto'
import type { Rows } from '../../platform/database/database.ts'

/** The usual number: enough to lose a phone several times. */
const codesPerAccount = 10
/** Without letters and digits that look alike. Sixteen of these 31 characters are 79 bits, which cannot be guessed. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** Replaces all recovery codes of the account. The codes are shown once; the database stores their hashes. */
export async function replaceRecoveryCodes(rows: Rows, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: codesPerAccount }, newCode)
  await rows.query(deleteStatement, [accountId])
  await rows.query(addStatement, [accountId, codes.map(hashOf)])
  return codes
}

/** Uses a code up. Of several concurrent calls one returns true. */
export async function consumeRecoveryCode(rows: Rows, accountId: string, code: string): Promise<boolean> {
  return (await rows.query(consumeStatement, [accountId, hashOf(code)])).length === 1
}

/** Whether the account has this code, unused. */
export async function hasRecoveryCode(rows: Rows, accountId: string, code: string): Promise<boolean> {
  return (await rows.query(findStatement, [accountId, hashOf(code)])).length === 1
}

/** Unused codes. */
export async function countRecoveryCodes(rows: Rows, accountId: string): Promise<number> {
  const [row] = await rows.query<{ count: number }>(countStatement, [accountId])
  return row?.count ?? 0
}

export async function deleteRecoveryCodes(rows: Rows, accountId: string): Promise<void> {
  await rows.query(deleteStatement, [accountId])
}

function newCode(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** Users type them in capitals, with spaces for the hyphens, or without either. */
function hashOf(code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '')
  return createHash('sha256').update(plain).digest()
}

const deleteStatement = { name: 'recovery_codes_delete', text: `delete from recovery_code where account_id = $1` }

const addStatement = {
  name: 'recovery_codes_add',
  text: `insert into recovery_code (account_id, hash) select $1, unnest($2::bytea[])`,
}

const findStatement = {
  name: 'recovery_code_find',
  text: `select hash from recovery_code where account_id = $1 and hash = $2`,
}

const consumeStatement = {
  name: 'recovery_code_consume',
  text: `delete from recovery_code where account_id = $1 and hash = $2 returning hash`,
}

const countStatement = {
  name: 'recovery_codes_count',
  text: `select count(*)::int as count from recovery_code where account_id = $1`,
}
