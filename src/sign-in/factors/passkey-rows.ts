import { randomBytes } from 'node:crypto'
import type { Rows } from '../../platform/database/database.ts'
import type { PasskeyDescriptor } from './proof-contract.ts'
import type { VerifiedCredential, VerifiedUse } from './webauthn.ts'

/** A stored passkey. */
export interface Passkey {
  readonly id: string
  readonly accountId: string
  /** The credential id, base64url. */
  readonly credentialId: string
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly signCount: number
  /** The WebAuthn user handle of the account, base64url. */
  readonly userHandle: string
  /** The epoch of the account. */
  readonly securityEpoch: number
}

export async function findPasskey(rows: Rows, credentialId: string): Promise<Passkey | undefined> {
  const [row] = await rows.query<PasskeyRow>(findStatement, [Buffer.from(credentialId, 'base64url')])
  if (!row) return undefined
  return {
    id: row.id,
    accountId: row.account_id,
    credentialId,
    publicKey: Uint8Array.from(row.public_key),
    signCount: Number(row.sign_count),
    userHandle: row.webauthn_user_id.toString('base64url'),
    securityEpoch: row.security_epoch,
  }
}

/** The passkeys of an account as WebAuthn credential descriptors. */
export async function describePasskeys(rows: Rows, accountId: string): Promise<PasskeyDescriptor[]> {
  const found = await rows.query<{ credential_id: Buffer; transports: string[] }>(describeStatement, [accountId])
  return found.map(({ credential_id: id, transports }) => ({
    type: 'public-key',
    id: id.toString('base64url'),
    transports,
  }))
}

/** Returns the random WebAuthn user handle of the account. Creates it for the first passkey. */
export async function userHandleOf(rows: Rows, accountId: string): Promise<string> {
  const [row] = await rows.query<{ handle: Buffer }>(handleStatement, [accountId, randomBytes(32)])
  if (!row) throw new Error('The account of a session is not there.')
  return row.handle.toString('base64url')
}

/** Returns the id of the passkey. `undefined` if the credential is already registered, for any account. */
export async function addPasskey(
  rows: Rows,
  accountId: string,
  friendlyName: string,
  credential: VerifiedCredential,
): Promise<string | undefined> {
  const { id, publicKey, signCount, transports, isBackedUp, aaguid } = credential
  const [row] = await rows.query<{ id: string }>(addStatement, [
    accountId,
    friendlyName,
    Buffer.from(id, 'base64url'),
    publicKey,
    signCount,
    transports,
    isBackedUp,
    aaguid,
  ])
  return row?.id
}

/**
 * Records a use. Returns false if the passkey was removed, or a concurrent use had a higher counter. Lock the account
 * first.
 */
export async function usePasskey(
  rows: Rows,
  passkeyId: string,
  { signCount, isBackedUp }: VerifiedUse,
): Promise<boolean> {
  return (await rows.query(useStatement, [passkeyId, signCount, isBackedUp])).length === 1
}

interface PasskeyRow {
  readonly id: string
  readonly account_id: string
  readonly public_key: Buffer
  /** A bigint, which the driver reads as text. */
  readonly sign_count: string
  readonly webauthn_user_id: Buffer
  readonly security_epoch: number
}

const findStatement = {
  name: 'passkey_find',
  text: `
select p.id, p.account_id, p.public_key, p.sign_count, a.webauthn_user_id, a.security_epoch
from passkey p join account a on a.id = p.account_id
where p.credential_id = $1`,
}

const describeStatement = {
  name: 'passkeys_describe',
  text: `select credential_id, transports from passkey where account_id = $1 order by id limit 100`,
}

const handleStatement = {
  name: 'passkey_user_handle',
  text: `
update account set webauthn_user_id = coalesce(webauthn_user_id, $2) where id = $1 returning webauthn_user_id as handle`,
}

/**
 * $1 account, $2 name, $3 credential id, $4 public key, $5 counter, $6 transports, $7 whether it is backed up, $8
 * authenticator model.
 */
const addStatement = {
  name: 'passkey_add',
  text: `
insert into passkey (account_id, friendly_name, credential_id, public_key, sign_count, transports, backed_up, aaguid)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (credential_id) do nothing
returning id`,
}

/** An authenticator without a counter always sends 0. */
const useStatement = {
  name: 'passkey_use',
  text: `
update passkey set sign_count = $2, backed_up = $3, last_used_at = now()
where id = $1 and (sign_count = 0 or sign_count < $2)
returning id`,
}
