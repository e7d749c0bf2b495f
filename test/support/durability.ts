import { Client } from 'pg'
import { pino } from 'pino'

import { startEmbedded } from '../../embedded/index.ts'
import { killServer, startProcess } from '../../embedded/test/process.ts'

/** Who gets `kill -9` while rows are written. */
export type Victim = 'service' | 'server' | 'both'

export interface CycleResult {
  /** Transactions that the service had said were committed. */
  readonly committed: number
  /** Of all those said so far, how many are not there. */
  readonly lost: number
  /** Transactions of two rows of which one is there. */
  readonly halves: number
}

const committedPerCycle = 30
const program = new URL('embedded-program.ts', import.meta.url)

/** Makes the table that the cycles write. */
export async function prepareDurability(dataDir: string): Promise<void> {
  await looking(dataDir, (client) =>
    client.query('create schema if not exists muster; create table if not exists pair (id bigint, side text)'),
  )
}

/** Writes, kills in the middle of it, opens the directory again and compares with what was acknowledged in this and earlier cycles. */
export async function killCycle(dataDir: string, victim: Victim, acknowledged: Set<string>): Promise<CycleResult> {
  const service = startProcess(program, [dataDir])
  const count = () => service.lines.filter((line) => line.startsWith('committed ')).length
  const until = async (wanted: number) => {
    while (count() < wanted) await service.heard(['committed'], service.lines.length)
  }
  try {
    await service.heard(['ready'])
    await until(committedPerCycle)
    if (victim !== 'service') await killServer(dataDir)
    // Left alive, the service starts the server again and goes on.
    if (victim === 'server') await until(count() + committedPerCycle)
  } finally {
    await service.kill()
  }
  for (const line of service.lines) if (line.startsWith('committed ')) acknowledged.add(line.slice(10))

  const rows = await looking(dataDir, async (client) => {
    const text = 'select id, count(*)::int as sides from pair group by id'
    return (await client.query<{ id: string; sides: number }>(text)).rows
  })
  const found = new Map(rows.map(({ id, sides }) => [id, sides]))
  return {
    committed: count(),
    lost: [...acknowledged].filter((id) => !found.has(id)).length,
    halves: rows.filter(({ sides }) => sides !== 2).length,
  }
}

async function looking<T>(dataDir: string, work: (client: Client) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir, mode: 'own', log: pino({ level: 'silent' }) })
  const client = new Client({ connectionString: server.url, options: '-c search_path=muster' })
  await client.connect()
  const result = await work(client)
  await client.end()
  await server.close()
  return result
}
