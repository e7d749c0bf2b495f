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
  }
}
