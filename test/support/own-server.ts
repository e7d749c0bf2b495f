import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { startEmbedded } from '../../embedded/index.ts'
import { createLog } from '../../src/platform/log.ts'

/** A PostgreSQL server of the test's own, with settings of its own and without fsync. Stopped and removed at the end of the test. */
export async function ownServer(settings: Readonly<Record<string, string>>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-own-server-'))
  await chmod(dataDir, 0o711)
  const server = await startEmbedded({
    dataDir,
    mode: 'own',
    log: createLog('silent'),
    transport: 'tcp',
    settings: { fsync: 'off', ...settings },
  })
  onTestFinished(async () => {
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    url: server.url,
    /** Runs SQL as the superuser, for whom the server keeps connections. */
    async sql(text: string, values: readonly unknown[] = []) {
      const url = new URL(server.superuserUrl)
      url.pathname = new URL(server.url).pathname
      const client = new Client({ connectionString: url.href, options: '-c search_path=muster' })
      await client.connect()
      return client.query(text, [...values]).finally(() => client.end())
    },
  }
}
