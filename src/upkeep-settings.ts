import type { SettingsReader } from './platform/settings.ts'

/** How long what is kept. */
export function readRetention(read: SettingsReader) {
  return {
    // Time to notice an erasure that a thief of the session requested, or to regret it.
    eraseAfterDays: read.integer(
      'MUSTER_ERASE_AFTER_DAYS',
      'Days after which an account whose erasure was requested is erased, and until which its owner can keep it; 0 erases at once.',
      { fallback: 14, min: 0, max: 90 },
    ),
    // A year, and a month to look at it.
    auditDays: read.integer(
      'MUSTER_KEEP_AUDIT_DAYS',
      'Days for which events of the audit trail are kept; 0 for ever.',
      {
        fallback: 400,
        min: 0,
        max: 36_500,
      },
    ),
    // They are many while passwords are guessed, and say little later.
    refusalDays: read.integer(
      'MUSTER_KEEP_REFUSALS_DAYS',
      'The same for refused sign-ins (`session.refused`), which have a time of their own.',
      { fallback: 90, min: 0, max: 36_500 },
    ),
    // Processors repeat an event for days; an operator can send one of Stripe again for a month.
    billingEventDays: read.integer(
      'MUSTER_KEEP_BILLING_EVENTS_DAYS',
      'The same for events of payment processors; at least 40, so that a repeated one is recognised.',
      { fallback: 400, min: 0, max: 36_500 },
    ),
    // A webhook is tried for three days; what failed can be replayed.
    webhookDays: read.integer(
      'MUSTER_KEEP_WEBHOOKS_DAYS',
      'The same for events that are sent by webhooks, with their deliveries.',
      { fallback: 30, min: 7, max: 36_500 },
    ),
  }
}
