import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { Caller } from './caller.ts'
import { provision } from './provisioning.ts'

/** What every statement that begins with the caller tells of them. */
export interface Standing {
  readonly account_id: string
  readonly disabled: boolean
  readonly ended: boolean
}

/**
 * The row that `read` finds for this caller. A subject that nobody knows yet becomes an account, where the issuer provisions.
 * Problems: `account_unknown`, `account_removed`, `account_disabled`, `session_ended`.
 */
export async function admit<Row extends Standing>(
  rows: Rows,
  caller: Caller,
  read: () => Promise<Row | undefined>,
): Promise<Row> {
  const row = (await read()) ?? (await provisioned(rows, caller, read)) ?? refuse('account_unknown')
  if (row.disabled) refuse('account_disabled')
  if (row.ended) refuse('session_ended')
  return row
}

async function provisioned<Row>(
  rows: Rows,
  caller: Caller,
  read: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (!caller.provisions) return undefined
  await provision(rows, caller)
  return (await read()) ?? refuse('account_removed')
}
