import type { SettingsReader } from '../platform/settings.ts'

/** Limits of one caller, network, issuer or client. */
export function readLimits(read: SettingsReader) {
  return {
    // Enough for a page that calls on every load. Stops a client in a loop.
    readsPerMinute: read.integer(
      'MUSTER_READS_PER_MINUTE',
      'Reads per minute of one caller, or of one network without a token, on one node.',
      { fallback: 1_200, min: 1, max: 100_000_000 },
    ),
    // More than a user does. Enough for a script that follows Retry-After.
    writesPerMinute: read.integer(
      'MUSTER_WRITES_PER_MINUTE',
      'Changes per minute by one caller, on one node. Key checks have a separate limit.',
      { fallback: 600, min: 1, max: 100_000_000 },
    ),
    // More than arrive on launch day. Few enough that automated sign-ups at the issuer do not fill the tables.
    newAccountsPerMinute: read.integer(
      'MUSTER_NEW_ACCOUNTS_PER_MINUTE',
      'Users per minute that one other issuer can create by their first request, on one node.',
      { fallback: 600, min: 1, max: 100_000_000 },
    ),
    ...readKeyLimits(read),
    signInsPerMinute: read.integer(
      'MUSTER_SIGN_INS_PER_MINUTE',
      'Sign-in attempts per minute of unknown devices from one network, over all nodes. Its /24 or /48 may have four times as many. Also the limit of one signed-in user.',
      { fallback: 60, min: 1, max: 100_000_000 },
    ),
    // Each export holds a database connection and a snapshot until its client has read everything.
    exportsMax: read.integer(
      'MUSTER_EXPORTS_MAX',
      'Full exports that this node streams at the same time. One caller can use half of them.',
      { fallback: 4, min: 1, max: 100 },
    ),
    /** Time limit of a full export. */
    exportSeconds: 600,
    // A stalled client keeps a snapshot open, so that vacuum cannot remove old row versions.
    exportStallSeconds: 30,
  }
}

function readKeyLimits(read: SettingsReader) {
  return {
    // Key checks show whether stolen keys work. A user checks a handful of keys, never hundreds.
    keyChecksPerMinute: read.integer(
      'MUSTER_KEY_CHECKS_PER_MINUTE',
      'Key checks per minute of one caller, over all nodes.',
      { fallback: 30, min: 1, max: 100_000_000 },
    ),
    // A user mistypes a key once or twice. Each failure can contribute to the provider blocking the service for
    // everyone.
    failedKeysMax: {
      user: read.integer(
        'MUSTER_FAILED_KEYS_OF_USER',
        'Failed keys of one user at one provider within `MUSTER_LOCK_OUT_WINDOW_SECONDS`, over all nodes.',
        { fallback: 3, min: 1, max: 1_000_000 },
      ),
      // One service key serves many customers.
      service: read.integer(
        'MUSTER_FAILED_KEYS_OF_SERVICE_KEY',
        'The same limit for one service key. 0 means 60 % of `MUSTER_LOCK_OUT_FAILURES`.',
        { fallback: 0, min: 0, max: 1_000_000 },
      ),
    },
  }
}
