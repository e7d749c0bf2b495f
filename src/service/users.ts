import type { ErasureSettings } from '../identity/erase-account.ts'
import { readSharedKey } from '../platform/database/keyring.ts'
import { createCursors } from '../platform/http/cursors.ts'
import type { LimitLog } from '../platform/limit-log.ts'
import { acceptedIssuersOf, issuerNamesOf } from '../sign-in/settings.ts'
import type { ListSettings } from '../users/list-route.ts'
import type { Opening } from './opening.ts'

/** Shared options of the administrative operations. */
export interface Administration {
  readonly listSettings: ListSettings
  readonly erasure: ErasureSettings & { readonly acceptedIssuers: readonly string[] }
  /** Days that audit events are kept; 0: forever. */
  readonly auditDays: number
}

export async function openAdministration(
  { config, database, log, now }: Opening,
  { outbox, limitLog }: Pick<ErasureSettings, 'outbox'> & { readonly limitLog: LimitLog },
): Promise<Administration> {
  const { limits, retention, dataDir } = config
  return {
    listSettings: {
      issuers: issuerNamesOf(config),
      cursors: createCursors(await readSharedKey(database, 'cursor')),
      exportsMax: limits.exportsMax,
      stallMs: limits.exportStallSeconds * 1_000,
      wholeMs: limits.exportSeconds * 1_000,
      limitLog,
      now,
    },
    erasure: {
      afterDays: retention.eraseAfterDays,
      dataDir,
      outbox,
      log,
      acceptedIssuers: acceptedIssuersOf(config),
    },
    auditDays: retention.auditDays,
  }
}
