import { Gauge, type Registry } from '@prometheus-io/client'
import type { Rows } from '../database/database.ts'

/** What the operator should know of the outbox. */
export interface MailStatus {
  readonly waiting: number
  /** Seconds since the oldest mail that waits was written; 0 where none waits. */
  readonly oldestSeconds: number
  /** In the last 24 hours. */
  readonly sent: number
  /** Of those that wait, the ones that the mail server did not take yet; they are tried again. */
  readonly retried: readonly FaultyMails[]
  /** In the last seven days. */
  readonly givenUp: readonly FaultyMails[]
}

/** Mails of one kind with one fault of the last try. */
export interface FaultyMails {
  readonly kind: string
  readonly fault: string
  readonly mails: number
}

export async function readMailStatus(rows: Rows): Promise<MailStatus> {
  const [row] = await rows.query<MailStatus>(statusStatement, [])
  return row ?? { waiting: 0, oldestSeconds: 0, sent: 0, retried: [], givenUp: [] }
}

/** Each scrape reads the gauges from the database. */
export function registerMail(registry: Registry, rows: Rows): void {
  new Gauge({
    name: 'muster_mails',
    help: 'Mails that wait to be sent (waiting), and that were given up in the last seven days (given_up).',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      // NaN without a database: the scrape still gets the other metrics.
      const status = await readMailStatus(rows).catch(() => undefined)
      this.set({ state: 'waiting' }, status?.waiting ?? Number.NaN)
      this.set({ state: 'given_up' }, status ? status.givenUp.reduce((sum, { mails }) => sum + mails, 0) : Number.NaN)
    },
  })
  new Gauge({
    name: 'muster_mail_oldest_seconds',
    help: 'Age of the oldest mail that waits to be sent; 0 where none waits.',
    registers: [registry],
    async collect() {
      const status = await readMailStatus(rows).catch(() => undefined)
      this.set(status?.oldestSeconds ?? Number.NaN)
    },
  })
}

const faultyMails = (which: string) => `(
  select coalesce(json_agg(f order by f.mails desc, f.kind, f.fault), '[]') from (
    select kind, fault, count(*)::int as mails from mail_outbox where ${which} group by kind, fault limit 100
  ) f)`

const statusStatement = {
  name: 'mail_status',
  text: `
select (select count(*)::int from mail_outbox where given_up_at is null) as waiting,
       (select coalesce(extract(epoch from now() - min(created_at))::int, 0) from mail_outbox where given_up_at is null)
         as "oldestSeconds",
       (select coalesce(sum(sent), 0)::int from mail_hour where hour > now() - interval '24 hours') as sent,
       ${faultyMails('given_up_at is null and fault is not null')} as retried,
       ${faultyMails('given_up_at is not null')} as "givenUp"`,
}
