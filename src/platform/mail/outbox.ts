import { randomUUID } from 'node:crypto'
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
  /** With its erasure the mail goes, too; absent where it has to stay, or there is no account yet. */
  readonly accountId?: string | undefined
  /** After it the mail is not sent any more. */
  readonly lifeSeconds: number
}

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
    async put(rows, { kind, to, language, values, accountId, lifeSeconds }) {
      const id = randomUUID()
      const content: SealedMail = { to, language, values }
      const sealed = sealing.encrypt(Buffer.from(JSON.stringify(content)), mailContext(id))
      await rows.query(putStatement, [id, kind, accountId ?? null, sealed, lifeSeconds])
    },
  }
}

/** Of an encrypted row. */
export function mailContext(id: string): string {
  return `mail ${id}`
}

const putStatement = {
  name: 'mail_put',
  text: `
insert into mail_outbox (id, kind, account_id, sealed, expires_at)
values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
}
