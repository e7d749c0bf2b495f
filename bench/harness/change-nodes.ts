import { Client } from 'pg'
import { startChild } from './child.ts'
import type { NodeOrder, NodeReport } from './invalidation-node.ts'

/** Nodes that look at the changes, in a process of their own. */
export interface Nodes {
  report(): Promise<NodeReport>
  note(ids: readonly string[]): Promise<unknown>
  stop(): void
}

export async function startNodes(
  { databaseUrl }: { readonly databaseUrl: string },
  nodes: number,
  cachedIds: readonly string[],
): Promise<Nodes> {
  const { ask, stop } = startChild<NodeOrder, NodeReport>('harness/invalidation-node.js')
  await ask({ kind: 'follow', databaseUrl, nodes, cachedIds })
  return { report: () => ask({ kind: 'report' }), note: (ids) => ask({ kind: 'note', ids }), stop }
}

export async function connect(databaseUrl: string, count: number): Promise<readonly Client[]> {
  const clients = Array.from({ length: count }, () => new Client(databaseUrl))
  for (const client of clients) {
    // Where the measurement fails, the server is stopped first.
    client.on('error', () => undefined)
    await client.connect()
  }
  return clients
}
