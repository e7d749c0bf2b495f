import type { Scene } from './node.ts'

/** A transaction that changes something, and ends after so long. It commits where its server is still the primary then. */
export function commitLater(
  { clock, cluster, history }: Scene,
  event: string,
  { runsMs, isRolledBack = false }: { readonly runsMs: number; readonly isRolledBack?: boolean },
): void {
  const server = cluster.primary()
  if (!server.isUp) return
  const transaction = server.tables.begin()
  transaction.change(event)
  clock.plan(runsMs, () => {
    if (isRolledBack || !server.isUp || server.lastCommit !== undefined) transaction.rollback()
    else if (transaction.commit()) history.commit([event])
    return false
  })
}
