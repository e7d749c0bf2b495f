import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/platform/database/open.ts'
import { createLog } from '../../src/platform/log.ts'
import { packageRoot } from '../../src/platform/package-root.ts'
import { openBuiltInIssuer } from '../../src/service/encryption.ts'
import type { Measured } from './pairs.ts'
import { type Core, cpuMsOf, forgetPeakOf, rssMiBOf, spawnNode } from './processes.ts'

/** The service as shipped, in a separate process. */
export interface BenchService extends Measured {
  /** An administrator's access token. */
  readonly token: string
  /** Access tokens of that many active users, each from a separate session. */
  tokens(count: number): Promise<readonly string[]>
  /** User and system time of the process and its descendants. */
  cpuMs(): number
  /** Resident memory in MiB of the same processes: now, and the peak since `forgetPeak`. */
  rssMiB(): { readonly now: number; readonly peak: number }
  forgetPeak(): void
  stop(): Promise<void>
}

/** The settings of every measured service. */
export const encryptionKey = Buffer.alloc(32, 7).toString('base64')
const metricsToken = 'a-token-of-the-measurements'

/**
 * Starts the service with its defaults, the settings of every measurement, and `more`. Without `databaseUrl` it uses the
 * embedded database of `MUSTER_DATA_DIR`. `program` may be another build.
 */
export async function startBenchService(
  databaseUrl: string | undefined,
  more: Readonly<Record<string, string>> = {},
  {
    core = 'measured',
    program = ownProgram(),
    port: wanted,
  }: { core?: Core | undefined; program?: string | undefined; port?: number | undefined } = {},
): Promise<BenchService> {
  const port = wanted ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env.PATH ?? '',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    MUSTER_PORT: String(port),
    // The same for all, so that nodes on one database accept each other's tokens.
    MUSTER_PUBLIC_URL: 'http://muster.bench',
    MUSTER_ENCRYPTION_KEY: encryptionKey,
    MUSTER_READS_PER_MINUTE: '100000000',
    MUSTER_WRITES_PER_MINUTE: '100000000',
    MUSTER_NEW_ACCOUNTS_PER_MINUTE: '100000000',
    MUSTER_LOG_LEVEL: 'info',
    MUSTER_ACCESS_TOKEN_SECONDS: '3600',
    MUSTER_METRICS_TOKEN: metricsToken,
    MUSTER_LAME_DUCK_SECONDS: '0',
    ...more,
  }
  const child = spawnNode(core, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  await ready(url, child)
  const pid = child.pid ?? 0
  return {
    url,
    pid,
    token: (await tokensOf(env, `role_id = 'admin'`, 1))[0] ?? '',
    tokens: (count) => tokensOf(env, 'true', count),
    cpuMs: () => cpuMsOf(pid),
    rssMiB: () => rssMiBOf(pid),
    forgetPeak: () => forgetPeakOf(pid),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

function ownProgram(): string {
  return join(packageRoot(), 'dist/bundle/main.cjs')
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  const agent = new Agent()
  for (;;) {
    if (child.exitCode !== null) throw new Error('the service did not start')
    const answer = await request(`${url}/readyz`, { dispatcher: agent }).catch(() => undefined)
    await answer?.body.dump()
    if (answer?.statusCode === 200) break
    await setTimeout(50)
  }
  await agent.close()
}

/** Signed in this process, with the service's own key. */
async function tokensOf(env: Readonly<Record<string, string>>, which: string, count: number): Promise<string[]> {
  const config = readConfig(env)
  const log = createLog('silent')
  const { url } = config.database
  const database = await openDatabase({ ...(url && { url }), dataDir: config.dataDir, mode: 'join', log })
  try {
    const issuer = await openBuiltInIssuer(config, database, { now: Date.now, log })
    const text = `select id from account where ${which} and disabled_at is null order by id limit $1`
    const accounts = await database.query<{ id: string }>({ name: '', text }, [count])
    if (!issuer || accounts.length < count)
      throw new Error(`the population has only ${accounts.length} accounts where ${which}`)
    const tokens: string[] = []
    for (const { id } of accounts) tokens.push((await issuer.tokenFor(id)).access_token)
    return tokens
  } finally {
    await database.close()
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
