import type { Caller } from '../../identity/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { ConfirmedFactor, Enrolment, Factor, Factors } from '../contract/factors.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Member, readMember, reauthenticate } from '../member.ts'
import type { Client } from '../sessions/client.ts'
import { originOf } from '../sessions/sessions.ts'
import { factorContext, stepOfFactor } from './factors.ts'
import { describeOtpSecret, newOtpSecret } from './one-time-codes.ts'
import { countRecoveryCodes, dropRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'

/** Factors of one account, those that wait for their first code included. */
const factorsMax = 10

/** The verified factors of the caller. Problems: those of `readMember`. */
export async function listFactors({ database }: BuiltInIssuer, caller: Caller): Promise<Factors> {
  const { accountId } = await readMember(database, caller)
  const found = await database.query<{ factor: Factor }>(listStatement, [accountId])
  return {
    factors: found.map(({ factor }) => factor),
    recoveryCodesLeft: await countRecoveryCodes(database, accountId),
  }
}

/**
 * A new factor. It counts for nothing until its first code is shown; one that waits for that under the same name is replaced.
 * Problems: those of `readMember`, `password_wrong`, `factor_name_taken`, `factor_limit_reached`.
 */
export async function enrolFactor(
  issuer: BuiltInIssuer,
  caller: Caller,
  { friendlyName, password }: { readonly friendlyName: string; readonly password: Secret },
  client: Client,
): Promise<Enrolment> {
  const { database, settings, sealer } = issuer
  const { accountId, email } = await authenticated(issuer, caller, password, client)
  return database.transaction(async (rows) => {
    const found = await lockedFactors(rows, accountId)
    if (found.some((factor) => factor.is_verified && factor.friendly_name === friendlyName)) refuse('factor_name_taken')
    const id = await nextId(rows)
    const secret = newOtpSecret()
    await rows.query(clearStatement, [accountId, friendlyName])
    const sealed = sealer.seal(secret, factorContext(id))
    const added = await rows.query(addStatement, [id, accountId, friendlyName, sealed, factorsMax])
    if (added.length === 0) refuse('factor_limit_reached', { detail: `An account has at most ${factorsMax} factors.` })
    const described = describeOtpSecret(secret, {
      issuer: new URL(settings.issuer).hostname,
      email: email ?? accountId,
    })
    return { id, friendlyName, ...described }
  })
}

/**
 * Takes the first code of a factor, which counts from then on. With the first factor of an account come its recovery codes.
 * Problems: those of `readMember`, `factor_unknown`, `factor_verified`, `code_refused`.
 */
export async function verifyFactor(
  issuer: BuiltInIssuer,
  caller: Caller,
  { factorId, code }: { readonly factorId: string; readonly code: string },
  client: Client,
): Promise<ConfirmedFactor> {
  const { accountId } = await readMember(issuer.database, caller)
  const step = await stepOfFactor(issuer, { accountId, factorId, code, isVerified: false })
  return issuer.database.transaction(async (rows) => {
    const found = await lockedFactors(rows, accountId)
    const factor = found.find(({ id }) => id === factorId) ?? refuse('factor_unknown')
    if (factor.is_verified) refuse('factor_verified')
    if (step === undefined) return refuse('code_refused')
    await rows.query(verifyStatement, [factorId, step])
    const target = { kind: 'factor', id: factorId } as const
    await recordAudit(rows, { action: 'factor.added', actorId: accountId, target, ...originOf(client) })
    const isFirst = !found.some(({ is_verified }) => is_verified)
    const recoveryCodes = isFirst ? await replaceRecoveryCodes(rows, accountId) : undefined
    return { id: factorId, friendlyName: factor.friendly_name, ...(recoveryCodes && { recoveryCodes }) }
  })
}

/** Problems: those of `readMember`, `factor_unknown`, `factor_name_taken`. */
export async function renameFactor(
  { database }: BuiltInIssuer,
  caller: Caller,
  { factorId, friendlyName }: { readonly factorId: string; readonly friendlyName: string },
): Promise<Factor> {
  const { accountId } = await readMember(database, caller)
  return database.transaction(async (rows) => {
    const found = await lockedFactors(rows, accountId)
    if (!found.some(({ id, is_verified }) => id === factorId && is_verified)) refuse('factor_unknown')
    if (found.some(({ id, friendly_name }) => id !== factorId && friendly_name === friendlyName))
      refuse('factor_name_taken')
    const [row] = await rows.query<{ factor: Factor }>(renameStatement, [factorId, friendlyName])
    return row?.factor ?? refuse('factor_unknown')
  })
}

/**
 * Removes one factor. With the last one go the recovery codes, and sign-in asks for the password only.
 * Problems: those of `readMember`, `password_wrong`, `factor_unknown`.
 */
export async function removeFactor(
  issuer: BuiltInIssuer,
  caller: Caller,
  { factorId, password }: { readonly factorId: string; readonly password: Secret },
  client: Client,
): Promise<void> {
  const { accountId } = await authenticated(issuer, caller, password, client)
  await issuer.database.transaction(async (rows) => {
    const found = await lockedFactors(rows, accountId)
    if (!found.some(({ id }) => id === factorId)) refuse('factor_unknown')
    await rows.query(removeStatement, [factorId])
    const target = { kind: 'factor', id: factorId } as const
    await recordAudit(rows, { action: 'factor.removed', actorId: accountId, target, ...originOf(client) })
    if (!found.some(({ id, is_verified }) => id !== factorId && is_verified)) await dropRecoveryCodes(rows, accountId)
  })
}

/**
 * New recovery codes in the place of the old ones.
 * Problems: those of `readMember`, `password_wrong`, and `factor_missing` where there is nothing that they could stand in for.
 */
export async function renewRecoveryCodes(
  issuer: BuiltInIssuer,
  caller: Caller,
  password: Secret,
  client: Client,
): Promise<string[]> {
  const { accountId } = await authenticated(issuer, caller, password, client)
  return issuer.database.transaction(async (rows) => {
    const found = await lockedFactors(rows, accountId)
    if (!found.some(({ is_verified }) => is_verified)) refuse('factor_missing')
    const target = { kind: 'account', id: accountId } as const
    await recordAudit(rows, { action: 'recovery_codes.replaced', actorId: accountId, target, ...originOf(client) })
    return replaceRecoveryCodes(rows, accountId)
  })
}

async function authenticated(issuer: BuiltInIssuer, caller: Caller, password: Secret, client: Client): Promise<Member> {
  const member = await readMember(issuer.database, caller)
  await reauthenticate(issuer, member, password, client)
  return member
}

interface FactorRow {
  readonly id: string
  readonly friendly_name: string
  readonly is_verified: boolean
}

/** The account's factors, while nobody else changes them. */
async function lockedFactors(rows: Rows, accountId: string): Promise<FactorRow[]> {
  await rows.query(lockStatement, [accountId])
  return rows.query<FactorRow>(allStatement, [accountId])
}

async function nextId(rows: Rows): Promise<string> {
  const [row] = await rows.query<{ id: string }>(nextIdStatement, [])
  if (!row) throw new Error('The database made no id.')
  return row.id
}

const factorJson = `
json_build_object('id', id, 'friendlyName', friendly_name,
                  'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))`

const listStatement = {
  name: 'factors_own',
  text: `
select ${factorJson} as factor from factor where account_id = $1 and verified_at is not null order by id limit 100`,
}

const lockStatement = { name: 'account_lock', text: `select id from account where id = $1 for no key update` }

const allStatement = {
  name: 'factors_all',
  text: `
select id, friendly_name, verified_at is not null as is_verified from factor where account_id = $1 order by id limit 100`,
}

const nextIdStatement = { name: 'factor_id', text: `select uuid_v7() as id` }

/** $1 account, $2 name. Whoever began and never finished leaves no factor behind. */
const clearStatement = {
  name: 'factors_clear',
  text: `
delete from factor
where account_id = $1 and verified_at is null and (friendly_name = $2 or created_at < now() - interval '10 minutes')`,
}

/** $1 id, $2 account, $3 name, $4 sealed secret, $5 how many there may be. */
const addStatement = {
  name: 'factor_add',
  text: `
insert into factor (id, account_id, friendly_name, secret)
select $1, $2, $3, $4
where (select count(*) from factor where account_id = $2) < $5
returning id`,
}

const verifyStatement = {
  name: 'factor_verify',
  text: `update factor set verified_at = now(), last_step = $2 where id = $1`,
}

const renameStatement = {
  name: 'factor_rename',
  text: `update factor set friendly_name = $2 where id = $1 returning ${factorJson} as factor`,
}

const removeStatement = { name: 'factor_remove', text: `delete from factor where id = $1` }
