import type { SettingsReader } from '../platform/settings.ts'

/** How much of the service one caller, network, issuer or reader may use. */
export function readLimits(read: SettingsReader) {
  return {
    // Enough for a page that calls on every load, and a limit for a client in a loop.
    readsPerMinute: read.integer(
      'MUSTER_READS_PER_MINUTE',
      'Reads of one caller, or of one network without a token, in a minute, on one node.',
      {
        fallback: 1_200,
        min: 1,
        max: 100_000_000,
      },
    ),
    // More than a person does, and enough for a script that follows Retry-After.
    writesPerMinute: read.integer(
      'MUSTER_WRITES_PER_MINUTE',
      'Changes by one caller in a minute, on one node; checks of keys have a limit of their own.',
      { fallback: 600, min: 1, max: 100_000_000 },
    ),
    // More than arrive on the day of a launch, and few enough that who signs up at the issuer by a program fills no table.
    newAccountsPerMinute: read.integer(
      'MUSTER_NEW_ACCOUNTS_PER_MINUTE',
      'Accounts that the first calls of users of one other issuer make in a minute, on one node.',
      { fallback: 600, min: 1, max: 100_000_000 },
    ),
    ...readKeyLimits(read),
    signInsPerMinute: read.integer(
      'MUSTER_SIGN_INS_PER_MINUTE',
      'Sign-in attempts of unknown devices from one network in a minute, over all nodes; four times as many from its /24 or /48. Also of one account that is signed in.',
      { fallback: 60, min: 1, max: 100_000_000 },
    ),
    // Each export holds a database connection and a snapshot until its reader has finished.
    exportsMax: read.integer(
      'MUSTER_EXPORTS_MAX',
      'Full exports that this node streams at the same time; one caller can have half of them.',
      {
        fallback: 4,
        min: 1,
        max: 100,
      },
    ),
    /** How long a full export may take. */
    exportSeconds: 600,
    // A stalled reader keeps a snapshot open, and with it every row version since.
    exportStallSeconds: 30,
  }
}

function readKeyLimits(read: SettingsReader) {
  return {
    // A check tells whether a stolen key works. A person checks a handful of keys, never hundreds.
    keyChecksPerMinute: read.integer(
      'MUSTER_KEY_CHECKS_PER_MINUTE',
      'Key checks of one caller in a minute, over all nodes.',
      { fallback: 30, min: 1, max: 100_000_000 },
    ),
    // A person mistypes a key once or twice. Each failure brings the service nearer to being locked out for all.
    failedKeysMax: {
      user: read.integer(
        'MUSTER_FAILED_KEYS_OF_USER',
        'Failed keys of one user at one provider within `MUSTER_LOCK_OUT_WINDOW_SECONDS`, over all nodes.',
        { fallback: 3, min: 1, max: 1_000_000 },
      ),
      // One key serves many customers.
      service: read.integer(
        'MUSTER_FAILED_KEYS_OF_SERVICE_KEY',
        'The same of one service key. 0 means as many as fit into 60 % of `MUSTER_LOCK_OUT_FAILURES`.',
        { fallback: 0, min: 0, max: 1_000_000 },
      ),
    },
  }
}
