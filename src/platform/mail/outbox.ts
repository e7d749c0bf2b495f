import { createHash, randomUUID } from 'node:crypto'
import type { Rows } from '../database/database.ts'
import type { Language, MailKind, MailValues } from './kinds.ts'

/** Encrypts waiting mails: their links give access to accounts. */
export interface Sealing {
  encrypt(plain: Buffer, context: string): Buffer
  decrypt(encrypted: Buffer, context: string): Buffer
}

export interface NewMail<Kind extends MailKind> {
  readonly kind: Kind
  readonly to: string
  /** The user's language. null: the service's default. */
  readonly language: Language | null
  readonly values: MailValues<Kind>
  /** Whose share of the hourly limit the mail counts against. Missing for the service and operators. */
  readonly caller?: Buffer | undefined
  /** Deleting this account also deletes the mail. Missing if the mail must survive, or there is no account yet. */
  readonly accountId?: string | undefined
  /** The mail is given up after this time. */
  readonly lifeSeconds: number
}

/** SHA-256 that identifies who caused a mail. */
export function mailCaller(kind: 'account' | 'network', id: string): Buffer {
  return createHash('sha256').update(`${kind} ${id}`).digest()
}

/** Hashes of the client's narrowest network, for its rate limit, and widest network, for `NewMail.caller`. null if unknown. */
export function networkHashes({ networks }: { readonly networks: readonly string[] }): readonly (Buffer | null)[] {
  const [narrowest] = networks
  const widest = networks.at(-1)
  if (narrowest === undefined || widest === undefined) return [null, null]
  return [createHash('sha256').update(narrowest).digest(), mailCaller('network', widest)]
}

/** Maximum number of waiting mails per caller. More are discarded. */
const waitingOfCallerMax = 50

/** The encrypted content of a row. */
export interface SealedMail {
  readonly to: string
  readonly language: Language | null
  readonly values: Readonly<Record<string, string>>
}

/** Queues mails. No request waits for the mail server. */
export interface Outbox {
  /**
   * Pass the `rows` of the transaction that causes the mail, so that the mail is sent only if it commits. Returns false
   * if the mail was discarded, because too many mails of its caller are waiting.
   */
  put<Kind extends MailKind>(rows: Rows, mail: NewMail<Kind>): Promise<boolean>
}

export function createOutbox(sealing: Pick<Sealing, 'encrypt'>): Outbox {
  return {
    async put(rows, { kind, to, language, values, caller, accountId, lifeSeconds }) {
      const id = randomUUID()
      const content: SealedMail = { to, language, values }
      const sealed = sealing.encrypt(Buffer.from(JSON.stringify(content)), mailContext(id))
      const row = [id, kind, accountId ?? null, sealed, lifeSeconds, caller ?? null]
      return (await rows.query(putStatement, row)).length > 0
    },
  }
}

/** Additional authenticated data of an encrypted row. */
export function mailContext(id: string): string {
  return `mail ${id}`
}

/** $1 ID, $2 kind, $3 account, $4 encrypted content, $5 lifetime in seconds, $6 caller. */
const putStatement = {
  name: 'mail_put',
  text: `
insert into mail_outbox (id, kind, account_id, sealed, expires_at, caller)
select $1, $2, $3, $4, now() + make_interval(secs => $5), $6::bytea
where $6 is null
   or (select count(*) from mail_outbox w where w.caller = $6 and w.given_up_at is null) < ${waitingOfCallerMax}
returning id`,
}
