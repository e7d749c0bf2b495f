import { createHash, randomUUID } from 'node:crypto'
import type { Rows } from '../database/database.ts'
import type { Language, MailKind, MailValues } from './kinds.ts'

/** Encrypts what waits to be sent: with a link in it, the outbox would otherwise open accounts. */
export interface Sealing {
  encrypt(plain: Buffer, context: string): Buffer
  decrypt(encrypted: Buffer, context: string): Buffer
}

export interface NewMail<Kind extends MailKind> {
  readonly kind: Kind
  readonly to: string
  /** That the owner of the account has chosen; default: that of the service. */
  readonly language: Language | null
  readonly values: MailValues<Kind>
  /** Whose share of the mails of the hour it counts against. Absent for the service and for operators. */
  readonly caller?: Buffer | undefined
  /** With its erasure the mail goes, too; absent where it has to stay, or there is no account yet. */
  readonly accountId?: string | undefined
  /** After it the mail is not sent any more. */
  readonly lifeSeconds: number
}

/** Who caused a mail, as SHA-256. */
export function mailCaller(kind: 'account' | 'network', id: string): Buffer {
  return createHash('sha256').update(`${kind} ${id}`).digest()
}

/** Of a client's narrowest network, for its own limit, and of the widest, whose share a mail counts against. Null where they are not known. */
export function networkHashes({ networks }: { readonly networks: readonly string[] }): readonly (Buffer | null)[] {
  const [narrowest] = networks
  const widest = networks.at(-1)
  if (narrowest === undefined || widest === undefined) return [null, null]
  return [createHash('sha256').update(narrowest).digest(), mailCaller('network', widest)]
}

/** Mails of one caller that wait. Beyond them no further one is taken: a mailbox that got as many in an hour needs no more. */
const waitingOfCallerMax = 50

/** What is encrypted in a row. */
export interface SealedMail {
  readonly to: string
  readonly language: Language | null
  readonly values: Readonly<Record<string, string>>
}

/** Takes mails in the transaction of what they are about: they are sent if it commits, and no request waits for the mail server. */
export interface Outbox {
  put<Kind extends MailKind>(rows: Rows, mail: NewMail<Kind>): Promise<void>
}

export function createOutbox(sealing: Pick<Sealing, 'encrypt'>): Outbox {
  return {
    async put(rows, { kind, to, language, values, caller, accountId, lifeSeconds }) {
      const id = randomUUID()
      const content: SealedMail = { to, language, values }
      const sealed = sealing.encrypt(Buffer.from(JSON.stringify(content)), mailContext(id))
      await rows.query(putStatement, [id, kind, accountId ?? null, sealed, lifeSeconds, caller ?? null])
    },
  }
}

/** Of an encrypted row. */
export function mailContext(id: string): string {
  return `mail ${id}`
}

/** $1 id, $2 kind, $3 account, $4 content, $5 seconds, $6 caller. */
const putStatement = {
  name: 'mail_put',
  text: `
insert into mail_outbox (id, kind, account_id, sealed, expires_at, caller)
select $1, $2, $3, $4, now() + make_interval(secs => $5), $6::bytea
where $6 is null
   or (select count(*) from mail_outbox w where w.caller = $6 and w.given_up_at is null) < ${waitingOfCallerMax}`,
}
