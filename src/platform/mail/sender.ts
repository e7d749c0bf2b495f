import type { Logger } from 'pino'
import type { Rows } from '../database/database.ts'
import { displayEmail } from '../email.ts'
import { type TraceJob, untracedJob } from '../tracing/tracing.ts'
import { type Language, type MailKind, mailKinds } from './kinds.ts'
import { mailContext, type SealedMail, type Sealing } from './outbox.ts'
import type { MailSettings } from './settings.ts'
import type { RenderedMail, Templates } from './templates.ts'
import { type MailFault, type Transport, transportConnections } from './transport.ts'

interface MailSender {
  /** Sends due mails until none is left, the hourly limit is reached, or `signal` aborts. */
  sendDue(signal?: AbortSignal): Promise<void>
}

export interface SenderParts {
  readonly rows: Rows
  readonly sealing: Pick<Sealing, 'decrypt'>
  readonly settings: Pick<MailSettings, 'language' | 'perHourMax'>
  readonly templates: Templates
  readonly transport: Pick<Transport, 'send'>
  /** Host name of the service, for templates. */
  readonly service: string
  readonly log: Pick<Logger, 'warn'>
  readonly traceJob?: TraceJob | undefined
}

/** Pauses after the first, the second and each further attempt. */
const retryPausesSeconds = [60, 300, 900] as const
/** For this time, no other node sends a mail that a node has claimed. Longer than an attempt takes. */
const leaseSeconds = 120
/** Maximum share of one caller in the hourly limit. Nodes claim two mails at a time, so a caller may exceed it by one. */
const callerShare = 1 / 20
/** How long given-up mails stay visible. */
const keptDays = 7

/**
 * Sends the mails in the outbox. One node claims each mail. Sends a mail twice only if its node was killed right after sending, or if
 * sending took longer than the lease.
 */
export function createSender(parts: SenderParts): MailSender {
  const { rows, settings, traceJob = untracedJob } = parts
  const send = (mail: ClaimedMail) =>
    traceJob(`mail ${mail.kind}`, {}, (reportFault) => sendOne(parts, mail, reportFault))
  return {
    async sendDue(signal) {
      await rows.query(expireStatement, [])
      await rows.query(forgetStatement, [])
      while (!signal?.aborted) {
        const { perHourMax } = settings
        const values = [transportConnections, perHourMax, leaseSeconds, Math.ceil(perHourMax * callerShare)]
        const claimed = await rows.query<ClaimedMail>(claimStatement, values)
        if (claimed.length === 0) return
        await Promise.all(claimed.map(send))
      }
    },
  }
}

interface ClaimedMail {
  readonly id: string
  readonly kind: string
  readonly sealed: Buffer
  readonly tries: number
}

async function sendOne(parts: SenderParts, mail: ClaimedMail, reportFault: (fault: string) => void): Promise<void> {
  const { rows, log } = parts
  const { id, kind, tries } = mail
  const fault = await trySending(parts, mail)
  if (!fault) {
    await rows.query(sentStatement, [id])
    return
  }
  reportFault(fault.code)
  // Without recipient and content, which are secret. The ID identifies the mail.
  log.warn({ mail: id, kind, tries, fault: fault.code }, 'a mail could not be sent')
  if (fault.isFinal) await rows.query(giveUpStatement, [id, fault.code])
  else await rows.query(laterStatement, [id, fault.code, retryPausesSeconds[tries - 1] ?? retryPausesSeconds.at(-1)])
}

async function trySending(parts: SenderParts, { id, kind, sealed }: ClaimedMail): Promise<MailFault | undefined> {
  // A node of a newer release queued the mail and will send it.
  if (!isKind(kind)) return { code: 'kind unknown', isFinal: false }
  const content = unseal(parts.sealing, id, sealed)
  if (!content) return { code: 'not decryptable', isFinal: false }
  const language = content.language ?? parts.settings.language
  const rendered = renderMail(parts, { kind, language, to: content.to, values: content.values })
  return parts.transport.send({ id, to: content.to, language, ...rendered })
}

export function renderMail(
  { templates, service }: Pick<SenderParts, 'templates' | 'service'>,
  { kind, language, to, values }: { kind: MailKind; language: Language; to: string; values: SealedMail['values'] },
): RenderedMail {
  return templates.render(kind, language, { ...values, service, email: displayEmail(to) })
}

function isKind(kind: string): kind is MailKind {
  return kind in mailKinds
}

/** Returns `undefined` if an operator has replaced the encryption key without keeping the old one. */
function unseal(sealing: SenderParts['sealing'], id: string, sealed: Buffer): SealedMail | undefined {
  try {
    // The trust boundary to the database: only this service can encrypt such text.
    return JSON.parse(sealing.decrypt(sealed, mailContext(id)).toString()) as SealedMail
  } catch {
    return undefined
  }
}

/** $1 maximum number of mails, $2 hourly limit, $3 lease in seconds, $4 hourly limit per caller. */
const claimStatement = {
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
