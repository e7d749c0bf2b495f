import { createHash, randomInt } from 'node:crypto'
import type { Rows } from '../../platform/database/database.ts'

/** As many as other products hand out: enough to lose a phone several times. */
const codesMax = 10
/** Without letters and digits that look alike. 31 of them: sixteen make 79 bits, far above what can be guessed. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** New recovery codes in the place of all that there were. Shown once: only hashes are kept. */
export async function replaceRecoveryCodes(rows: Rows, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: codesMax }, newCode)
  await rows.query(clearStatement, [accountId])
  await rows.query(addStatement, [accountId, codes.map(hashOf)])
  return codes
}

/** Spends a code. Of several at once one gets true. */
export async function spendRecoveryCode(rows: Rows, accountId: string, code: string): Promise<boolean> {
  return (await rows.query(spendStatement, [accountId, hashOf(code)])).length === 1
}

/** Codes that are still good. */
export async function countRecoveryCodes(rows: Rows, accountId: string): Promise<number> {
  const [row] = await rows.query<{ count: number }>(countStatement, [accountId])
  return row?.count ?? 0
}

export async function dropRecoveryCodes(rows: Rows, accountId: string): Promise<void> {
  await rows.query(clearStatement, [accountId])
}

function newCode(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** People type them in capitals, and with spaces for the hyphens or without any. */
function hashOf(code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '')
  return createHash('sha256').update(plain).digest()
}

const clearStatement = { name: 'recovery_codes_clear', text: `delete from recovery_code where account_id = $1` }

const addStatement = {
  name: 'recovery_codes_add',
  text: `insert into recovery_code (account_id, hash) select $1, unnest($2::bytea[])`,
}

const spendStatement = {
  name: 'recovery_code_spend',
  text: `delete from recovery_code where account_id = $1 and hash = $2 returning hash`,
}

const countStatement = {
  name: 'recovery_codes_count',
  text: `select count(*)::int as count from recovery_code where account_id = $1`,
}
