import type { SettingsReader } from '../platform/settings.ts'

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
    billingEventDays: 400,
    // A webhook is tried for three days; what failed can be replayed.
    webhookDays: 30,
  }
}

/** When the embedded database backs itself up. With `DATABASE_URL` nothing is made. */
export function readBackups(read: SettingsReader) {
  return {
    // At night in Europe, when few people work.
    hour: read.integer('MUSTER_BACKUP_HOUR', 'Hour of the daily backup of the embedded database, in UTC.', {
      fallback: 3,
      min: 0,
      max: 23,
    }),
    kept: read.integer(
      'MUSTER_BACKUPS_KEPT',
      'Daily backups of the embedded database that are kept, in `backups` of MUSTER_DATA_DIR; 0 makes none.',
      { fallback: 7, min: 0, max: 3_650 },
    ),
  }
}
