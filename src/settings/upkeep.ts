import type { SettingsReader } from '../platform/settings.ts'

/** How long data is kept. */
export function readRetention(read: SettingsReader) {
  return {
    // Time to detect that a thief of the session requested the deletion, or to change one's mind.
    eraseAfterDays: read.integer(
      'MUSTER_ERASE_AFTER_DAYS',
      'Days between the request to delete a user and the deletion. Until then the user can restore the account. 0 deletes immediately.',
      { fallback: 14, min: 0, max: 90 },
    ),
    // A year and a month.
    auditDays: read.integer('MUSTER_KEEP_AUDIT_DAYS', 'Days that events of the audit log are kept. 0: forever.', {
      fallback: 400,
      min: 0,
      max: 36_500,
    }),
    // Password guessing causes many of them, and they are of little use later.
    refusalDays: read.integer(
      'MUSTER_KEEP_REFUSALS_DAYS',
      'Days that rejected sign-ins (`session.refused`) are kept in the audit log. 0: forever.',
      { fallback: 90, min: 0, max: 36_500 },
    ),
    // Processors repeat an event for days; in Stripe an operator can resend one for a month.
    billingEventDays: 400,
    // Webhooks are retried for 3 days. Failed ones can be replayed.
    webhookDays: 30,
  }
}

/** The schedule of backups of the embedded database. Without it, no backups are made. */
export function readBackups(read: SettingsReader) {
  return {
    // Night in Europe.
    hour: read.integer('MUSTER_BACKUP_HOUR', 'Hour of the daily backup of the embedded database, in UTC.', {
      fallback: 3,
      min: 0,
      max: 23,
    }),
    kept: read.integer(
      'MUSTER_BACKUPS_KEPT',
      'Number of daily backups of the embedded database to keep, in `backups` of MUSTER_DATA_DIR. 0 disables backups.',
      { fallback: 7, min: 0, max: 3_650 },
    ),
  }
}
