import type { Logger } from 'pino'
import type { Rows } from '../database/database.ts'
import { type TraceJob, untracedJob } from '../tracing/tracing.ts'
import { type Language, type MailKind, mailKinds } from './kinds.ts'
import { mailContext, type SealedMail, type Sealing } from './outbox.ts'
import type { MailSettings } from './settings.ts'
import type { Rendered, Templates } from './templates.ts'
import { type MailFault, type Transport, transportConnections } from './transport.ts'

export interface Sender {
  /** Sends every mail that is due, and ends when there is none, when the limit of the hour is reached, or when it is aborted. */
  sendDue(signal?: AbortSignal): Promise<void>
}

export interface SenderParts {
  readonly rows: Rows
  readonly sealing: Pick<Sealing, 'decrypt'>
  readonly settings: Pick<MailSettings, 'language' | 'perHourMax'>
  readonly templates: Templates
  readonly transport: Pick<Transport, 'send'>
  /** The host that mails name. */
  readonly service: string
  readonly log: Pick<Logger, 'warn'>
  readonly traceJob?: TraceJob | undefined
}

/** After the first, the second and each further try. */
const pausesSeconds = [60, 300, 900] as const
/**
 * So long no node takes a mail that another one has taken. It is longer than a try takes. What a killed node had taken is sent after it.
 */
const leaseSeconds = 120
/** What one caller can take of the mails of an hour. The caller's other mails wait for the next hour. Mails are taken two at a time, so a caller can get one more. */
const callerShare = 1 / 20
/** What was given up stays visible. */
const keptDays = 7

/**
 * Sends what is in the outbox. Several nodes share the work: a mail is taken by one. It is sent at least once: twice only where its node
 * was killed after the server had taken it, or where that took longer than the lease.
 */
export function createSender(parts: SenderParts): Sender {
  const { rows, settings, traceJob = untracedJob } = parts
  const send = (mail: TakenMail) => traceJob(`mail ${mail.kind}`, {}, (note) => sendOne(parts, mail, note))
  return {
    async sendDue(signal) {
      await rows.query(expireStatement, [])
      await rows.query(forgetStatement, [])
      while (!signal?.aborted) {
        const { perHourMax } = settings
        const values = [transportConnections, perHourMax, leaseSeconds, Math.ceil(perHourMax * callerShare)]
        const taken = await rows.query<TakenMail>(takeStatement, values)
        if (taken.length === 0) return
        await Promise.all(taken.map(send))
      }
    },
  }
}

interface TakenMail {
  readonly id: string
  readonly kind: string
  readonly sealed: Buffer
  readonly tries: number
}

async function sendOne(parts: SenderParts, mail: TakenMail, note: (fault: string) => void): Promise<void> {
  const { rows, log } = parts
  const { id, kind, tries } = mail
  const fault = await trySending(parts, mail)
  if (!fault) {
    await rows.query(sentStatement, [id])
    return
  }
  note(fault.code)
  // Neither the recipient nor the content: both are secret, and the id finds the account.
  log.warn({ mail: id, kind, tries, fault: fault.code }, 'a mail could not be sent')
  if (fault.isFinal) await rows.query(giveUpStatement, [id, fault.code])
  else await rows.query(laterStatement, [id, fault.code, pausesSeconds[tries - 1] ?? pausesSeconds.at(-1)])
}

async function trySending(parts: SenderParts, { id, kind, sealed }: TakenMail): Promise<MailFault | undefined> {
  // A newer release has put it there, and sends it.
  if (!isKind(kind)) return { code: 'kind unknown', isFinal: false }
  const content = unseal(parts.sealing, id, sealed)
  if (!content) return { code: 'not decryptable', isFinal: false }
  const language = content.language ?? parts.settings.language
  const rendered = renderMail(parts, { kind, language, to: content.to, values: content.values })
  return parts.transport.send({ id, to: content.to, language, ...rendered })
}

/** The texts of one mail. */
export function renderMail(
  { templates, service }: Pick<SenderParts, 'templates' | 'service'>,
  { kind, language, to, values }: { kind: MailKind; language: Language; to: string; values: SealedMail['values'] },
): Rendered {
  return templates.render(kind, language, { ...values, service, email: to })
}

function isKind(kind: string): kind is MailKind {
  return kind in mailKinds
}

/** `undefined` where an operator has replaced the encryption key and not kept the one before. */
function unseal(sealing: SenderParts['sealing'], id: string, sealed: Buffer): SealedMail | undefined {
  try {
    // The trust boundary to the database: only this service can have encrypted it.
    return JSON.parse(sealing.decrypt(sealed, mailContext(id)).toString()) as SealedMail
  } catch {
    return undefined
  }
}

/** $1 mails at most, $2 mails in an hour, $3 seconds for which no other node takes them, $4 mails of one caller in an hour. */
const takeStatement = {
  name: 'mail_take',
  text: `
with free as (
  select least($1::int, $2::int - coalesce((select tried from mail_hour where hour = date_trunc('hour', now(), 'UTC')), 0)) as mails
), due as (
  select id from mail_outbox o
  where given_up_at is null and next_at <= now() and expires_at > now()
    and (caller is null or not exists (
      select from mail_share s
      where s.caller = o.caller and s.hour = date_trunc('hour', now(), 'UTC')
        and s.tried >= $4::int))
  order by next_at
  limit greatest(0, (select mails from free))
  for update skip locked
), taken as (
  update mail_outbox o set tries = o.tries + 1, next_at = now() + make_interval(secs => $3)
  from due where o.id = due.id
  returning o.id, o.kind, o.sealed, o.tries, o.caller
), shared as (
  insert into mail_share (hour, caller, tried)
  select date_trunc('hour', now(), 'UTC'), caller, count(*) from taken where caller is not null group by caller
  on conflict (hour, caller) do update set tried = mail_share.tried + excluded.tried
), counted as (
  insert into mail_hour (hour, tried)
  select date_trunc('hour', now(), 'UTC'), count(*) from taken having count(*) > 0
  on conflict (hour) do update set tried = mail_hour.tried + excluded.tried
)
select id, kind, sealed, tries from taken`,
}

const sentStatement = {
  name: 'mail_sent',
  text: `
with gone as (delete from mail_outbox where id = $1 returning id)
insert into mail_hour (hour, sent) select date_trunc('hour', now(), 'UTC'), 1 from gone
on conflict (hour) do update set sent = mail_hour.sent + 1`,
}

const laterStatement = {
  name: 'mail_later',
  text: `update mail_outbox set fault = $2, next_at = now() + make_interval(secs => $3) where id = $1 and given_up_at is null`,
}

const giveUpStatement = {
  name: 'mail_give_up',
  text: `update mail_outbox set fault = $2, given_up_at = now(), sealed = null where id = $1 and given_up_at is null`,
}

const expireStatement = {
  name: 'mail_expire',
  text: `
update mail_outbox set fault = coalesce(fault, 'not tried'), given_up_at = now(), sealed = null
where given_up_at is null and expires_at <= now()`,
}

const forgetStatement = {
  name: 'mail_forget',
  text: `
with old as (delete from mail_outbox where given_up_at < now() - interval '${keptDays} days'),
  shares as (delete from mail_share where hour < now() - interval '2 hours')
delete from mail_hour where hour < now() - interval '${keptDays} days'`,
}
