import { Gauge, type Registry } from '@prometheus-io/client'
import type { Rows } from '../database/database.ts'

/** State of the outbox. */
interface MailStatus {
  readonly waiting: number
  /** Age of the oldest waiting mail; 0 if none waits. */
  readonly oldestSeconds: number
  /** Mails sent in the last 24 hours. */
  readonly sent: number
  /** Waiting mails that the mail server has rejected at least once. */
  readonly retried: readonly FaultyMails[]
  /** Mails given up in the last seven days. */
  readonly givenUp: readonly FaultyMails[]
}

/** Number of mails of one kind with one fault. */
export interface FaultyMails {
  readonly kind: string
  readonly fault: string
  readonly mails: number
}

export async function readMailStatus(rows: Rows): Promise<MailStatus> {
  const [row] = await rows.query<MailStatus>(statusStatement, [])
  return row ?? { waiting: 0, oldestSeconds: 0, sent: 0, retried: [], givenUp: [] }
}

/** Reads the gauges from the database for each scrape. */
export function registerMail(registry: Registry, rows: Rows): void {
  new Gauge({
    name: 'muster_mails',
    help: 'Mails waiting to be sent (waiting), and mails given up in the last seven days (given_up).',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      // NaN while the database is down, so that the rest of the scrape succeeds.
      const status = await readMailStatus(rows).catch(() => undefined)
      this.set({ state: 'waiting' }, status?.waiting ?? Number.NaN)
      this.set({ state: 'given_up' }, status ? status.givenUp.reduce((sum, { mails }) => sum + mails, 0) : Number.NaN)
    },
  })
  new Gauge({
    name: 'muster_mail_oldest_seconds',
    help: 'Age of the oldest mail waiting to be sent; 0 if none waits.',
    registers: [registry],
    async collect() {
      const status = await readMailStatus(rows).catch(() => undefined)
      this.set(status?.oldestSeconds ?? Number.NaN)
    },
  })
}

const faultyMails = (condition: string) => `(
  select coalesce(json_agg(f order by f.mails desc, f.kind, f.fault), '[]') from (
    select kind, fault, count(*)::int as mails from mail_outbox where ${condition} group by kind, fault limit 100
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
