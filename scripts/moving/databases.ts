import { Client, type ClientConfig } from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../../embedded/index.ts'
import { defaultSchema } from '../../src/platform/database/link.ts'

type Sql = <Row extends object>(text: string) => Promise<Row[]>

/** Runs `work` on the database at this address. */
export function byUrl<T>(connectionString: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  return inClient({ connectionString }, work)
}

/** Runs `work` on the embedded database in this directory, whose server runs meanwhile. */
export async function embeddedIn<T>(dataDir: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir, mode: 'join', log: pino({ level: 'silent' }) })
  try {
    return await inClient({ connectionString: server.url }, work)
  } finally {
    await server.close()
  }
}

async function inClient<T>(config: ClientConfig, work: (sql: Sql) => Promise<T>): Promise<T> {
  // Rows are compared as text, which must not depend on the settings of two servers.
  const client = new Client({
    ...config,
    options: `-c search_path=${defaultSchema} -c timezone=UTC -c datestyle=ISO,YMD -c statement_timeout=0`,
  })
  await client.connect()
  try {
    return await work(async <Row extends object>(text: string) => (await client.query<Row>(text)).rows)
  } finally {
    await client.end()
  }
}
