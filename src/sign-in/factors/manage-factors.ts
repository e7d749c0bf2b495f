import { meetsLevel, requireLevel } from '../../identity/level.ts'
import { notify } from '../../identity/notify.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import type { ActingCaller, UserCaller } from '../../platform/http/caller.ts'
import { ownAccountNeeds } from '../../platform/http/contract.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { factorContext } from '../keys/encryption.ts'
import { reauthenticate } from '../passwords/current-password.ts'
import { allowOrRefuse, verifyOrReturnUnits } from '../sessions/allow.ts'
import { type Client, recordOwn } from '../sessions/client.ts'
import { type CurrentSession, readCurrentSession, readOwner, writeInSession } from '../sessions/current-session.ts'
import { endAccountLinks, endGuessingSession, endOtherSessions, stepUpSession } from '../sessions/sessions.ts'
import type { ConfirmedFactor, Enrolment, Factor, FactorName, Factors } from './contract.ts'
import {
  type FactorRow,
  factorsMax,
  readAllFactors,
  readFactors,
  removeFactorRow,
  renameFactorRow,
} from './factor-rows.ts'
import { deleteRecoveryCodes, readRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import { consumeInSession, type SecondProof, verifyInSession } from './second-proof.ts'
import { describeTotpSecret, newTotpSecret, verifyFactorCode } from './totp.ts'

/** The caller's verified factors. Problems: those of `readCurrentSession`. */
export async function listFactors(database: Database, caller: UserCaller | ActingCaller): Promise<Factors> {
  const { accountId } = await readOwner(database, caller)
  return { factors: await readFactors(database, accountId), ...(await readRecoveryCodes(database, accountId)) }
}

/**
 * Creates a factor that waits for its first code, and replaces an unverified one of the same name.
 * Problems: those of `readCurrentSession`, `sign_in_wait`, `password_wrong`, `factor_name_taken`,
 * `factor_limit_reached`.
 */
export async function enrolFactor(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  { friendlyName, password }: { readonly friendlyName: string; readonly password: Secret },
  client: Client,
): Promise<Enrolment> {
  const { database, settings, encryption } = issuer
  await verifyCurrentPassword(issuer, caller, password, client)
  return writeInSession(database, caller, async (rows, { accountId, email }) => {
    const found = await readAllFactors(rows, accountId)
    if (found.some((factor) => factor.is_verified && factor.friendly_name === friendlyName)) refuse('factor_name_taken')
    const id = await nextId(rows)
    const secret = newTotpSecret()
    await rows.query(deletePendingStatement, [accountId, friendlyName])
    const encrypted = encryption.encrypt(secret, factorContext(id))
    const added = await rows.query(addStatement, [id, accountId, friendlyName, encrypted, factorsMax])
    if (added.length === 0) refuse('factor_limit_reached', { detail: `An account has at most ${factorsMax} factors.` })
    const described = describeTotpSecret(secret, {
      issuer: new URL(settings.issuer).hostname,
      email: email ?? accountId,
    })
    return { id, friendlyName, ...described }
  })
}

/**
 * Verifies the first code of a factor. The factor takes effect, and the code counts for the session. The first factor
 * of an account comes with recovery codes.
 * Problems: those of `readCurrentSession`, `factor_unknown`, `factor_verified`, `sign_in_wait`, `code_refused`.
 */
export async function verifyFactor(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  {
    factorId,
    code,
    sessionsToEnd,
  }: { readonly factorId: string; readonly code: string; readonly sessionsToEnd: 'all' | 'weak' },
  client: Client,
): Promise<ConfirmedFactor> {
  const { accountId, sessionId } = await readCurrentSession(issuer.database, caller)
  const decision = await allowOrRefuse(issuer.database, { kind: 'session', sessionId })
  const accepted = await verifyOrReturnUnits(issuer.database, decision, () =>
    verifyFactorCode(issuer, { accountId, factorId, code, isVerified: false }),
  )
  if (!accepted) {
    await endGuessingSession(issuer.database, { accountId, sessionId }, decision, client)
    requirePending(await readAllFactors(issuer.database, accountId), factorId)
    return refuse('code_refused')
  }
  await decision.succeeded(issuer.database)
  return writeInSession(issuer.database, caller, async (rows, current) => {
    const found = await readAllFactors(rows, accountId)
    const factor = requirePending(found, factorId)
    await rows.query(verifyStatement, [factorId, accepted.step, accepted.drift])
    const { friendly_name: friendlyName } = factor
    const added = { id: factorId, type: 'totp', friendlyName, sessionsToEnd, before: found } as const
    return putInEffect(issuer, rows, current, added, client)
  })
}

interface AddedFactor extends FactorName {
  readonly sessionsToEnd: 'all' | 'weak'
  /** The factors of the account before it. */
  readonly before: readonly FactorRow[]
}

/** Lets a new factor count for the session. The first factor of an account comes with recovery codes. */
export async function putInEffect(
  issuer: BuiltInIssuer,
  rows: Rows,
  current: CurrentSession,
  { id, type, friendlyName, sessionsToEnd, before }: AddedFactor,
  client: Client,
): Promise<ConfirmedFactor> {
  const { accountId } = current
  const isPasskey = type === 'passkey'
  await stepUpSession(rows, current, [isPasskey ? 'pop' : 'otp'], client)
  await endOtherSessions(rows, current, sessionsToEnd, client)
  await endAccountLinks(rows, accountId)
  const target = { kind: 'factor', id } as const
  await recordOwn(rows, { action: 'factor.added', accountId, client, target, ...(isPasskey && { details: { type } }) })
  await notify(issuer, rows, { accountId, kind: 'factorChanged', values: {} })
  const hadFactor = before.some(({ is_verified }) => is_verified)
  const codes = hadFactor ? {} : { recoveryCodes: await replaceRecoveryCodes(rows, accountId) }
  return { id, type, friendlyName, ...codes }
}

/** Finds an unverified factor. Problems: `factor_unknown`, `factor_verified`. */
function requirePending(found: readonly FactorRow[], factorId: string): FactorRow {
  const factor = found.find(({ id, type }) => id === factorId && type === 'totp') ?? refuse('factor_unknown')
  return factor.is_verified ? refuse('factor_verified') : factor
}

/** Renames a verified factor. Problems: those of `readCurrentSession`, `factor_unknown`, `factor_name_taken`. */
export async function renameFactor(
  database: Database,
  caller: UserCaller,
  { factorId, friendlyName }: { readonly factorId: string; readonly friendlyName: string },
): Promise<Factor> {
  return writeInSession(database, caller, async (rows, { accountId }) => {
    const found = await readAllFactors(rows, accountId)
    const factor = found.find(({ id, is_verified }) => id === factorId && is_verified) ?? refuse('factor_unknown')
    if (found.some(({ id, friendly_name }) => id !== factorId && friendly_name === friendlyName))
      refuse('factor_name_taken')
    await renameFactorRow(rows, factor, friendlyName)
    const renamed = (await readFactors(rows, accountId)).find(({ id }) => id === factorId)
    return renamed ?? refuse('factor_unknown')
  })
}

interface Removal {
  readonly factorId: string
  readonly password?: Secret | undefined
  readonly proof?: SecondProof | undefined
  readonly sessionsToEnd: 'all' | 'weak'
}

/**
 * Removes a factor. Removing the last one deletes the recovery codes, and sign-in then needs the password only.
 * Problems: those of `readCurrentSession`, `factor_required`, `step_up_required`, `sign_in_wait`, `password_wrong`, `code_refused`,
 * `factor_unknown`.
 */
export async function removeFactor(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  { factorId, password, proof, sessionsToEnd }: Removal,
  client: Client,
): Promise<void> {
  const checked = await readCurrentSession(issuer.database, caller)
  requireRemovalProof(checked, password, proof)
  const verifiedProof = await verifyInSession(issuer, checked, { password, proof }, client)
  await writeInSession(issuer.database, caller, async (rows, current) => {
    const { accountId } = current
    const found = await readAllFactors(rows, accountId)
    const factor = found.find(({ id }) => id === factorId) ?? refuse('factor_unknown')
    if (verifiedProof) await consumeInSession(rows, verifiedProof)
    if (verifiedProof && password) await stepUpSession(rows, current, ['pwd', verifiedProof.method], client)
    await removeFactorRow(rows, factor)
    if (!factor.is_verified) return
    await endAccountLinks(rows, accountId)
    await endOtherSessions(rows, current, sessionsToEnd, client)
    await recordOwn(rows, { action: 'factor.removed', accountId, client, target: { kind: 'factor', id: factorId } })
    await notify(issuer, rows, { accountId, kind: 'factorChanged', values: {} })
    if (!found.some(({ id, is_verified }) => id !== factorId && is_verified)) await deleteRecoveryCodes(rows, accountId)
  })
}

/**
 * Replaces the recovery codes.
 * Problems: those of `readCurrentSession`, `sign_in_wait`, `password_wrong`, and `factor_missing` without a verified factor.
 */
export async function renewRecoveryCodes(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  password: Secret,
  client: Client,
): Promise<string[]> {
  await verifyCurrentPassword(issuer, caller, password, client)
  return writeInSession(issuer.database, caller, async (rows, { accountId }) => {
    const found = await readAllFactors(rows, accountId)
    if (!found.some(({ is_verified }) => is_verified)) refuse('factor_missing')
    await recordOwn(rows, { action: 'recovery_codes.replaced', accountId, client })
    await notify(issuer, rows, { accountId, kind: 'factorChanged', values: {} })
    return replaceRecoveryCodes(rows, accountId)
  })
}

/**
 * Requires both proofs in the body, or a session that used the factor recently. An account without a verified factor
 * needs only the password.
 */
function requireRemovalProof({ accountId, level }: CurrentSession, password?: Secret, proof?: SecondProof): void {
  if (password && (proof || !level.has_factor)) return
  if (password && !meetsLevel(ownAccountNeeds, level)) refuse('factor_required')
  requireLevel(ownAccountNeeds, level, accountId)
}

async function verifyCurrentPassword(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  password: Secret,
  client: Client,
): Promise<void> {
  await reauthenticate(issuer, await readCurrentSession(issuer.database, caller), password, client)
}

async function nextId(rows: Rows): Promise<string> {
  const [row] = await rows.query<{ id: string }>(nextIdStatement, [])
  if (!row) throw new Error('The database returned no id.')
  return row.id
}

const nextIdStatement = { name: 'factor_id', text: `select uuid_v7() as id` }

/** $1 account, $2 name. Unfinished enrolments older than 10 minutes do not count toward the limit. */
const deletePendingStatement = {
  name: 'factors_delete_pending',
  text: `
delete from factor
where account_id = $1 and verified_at is null and (friendly_name = $2 or created_at < now() - interval '10 minutes')`,
}

/** $1 id, $2 account, $3 name, $4 encrypted secret, $5 maximum number of factors. */
const addStatement = {
  name: 'factor_add',
  text: `
insert into factor (id, account_id, friendly_name, secret)
select $1, $2, $3, $4
where (select count(*) from factor where account_id = $2) + (select count(*) from passkey where account_id = $2) < $5
returning id`,
}

const verifyStatement = {
  name: 'factor_verify',
  text: `update factor set verified_at = now(), last_step = $2, drift = $3 where id = $1`,
}
