import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createLog } from '../../src/log.ts'
import { openBuiltInIssuer } from '../../src/open-parts.ts'
import { packageRoot } from '../../src/package-root.ts'

/** The service as shipped, in a process of its own. */
export interface BenchService {
  readonly url: string
  /** Of an administrator. */
  readonly token: string
  /** User and system time that the process has spent. */
  cpuMs(): number
  /** Resident set: now, and the highest since `forgetPeak`. */
  rssMiB(): { readonly now: number; readonly peak: number }
  forgetPeak(): void
  stop(): Promise<void>
}

const encryptionKey = Buffer.alloc(32, 7).toString('base64')

export async function startBenchService(databaseUrl: string): Promise<BenchService> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: databaseUrl,
    MUSTER_PORT: String(port),
    MUSTER_PUBLIC_URL: url,
    MUSTER_ENCRYPTION_KEY: encryptionKey,
    MUSTER_READS_PER_MINUTE: '100000000',
    MUSTER_LOG_LEVEL: 'info',
    MUSTER_ACCESS_TOKEN_SECONDS: '3600',
  }
  const child = spawn(process.execPath, [join(packageRoot(), 'dist/src/main.js')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await ready(url, child)
  const pid = child.pid ?? 0
  return {
    url,
    token: await adminToken(env),
    cpuMs: () => cpuMsOf(pid),
    rssMiB: () => ({ now: statusMiB(pid, 'VmRSS'), peak: statusMiB(pid, 'VmHWM') }),
    forgetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
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

async function adminToken(env: Readonly<Record<string, string>>): Promise<string> {
  const config = readConfig(env)
  const log = createLog('silent')
  const { url } = config.database
  const database = await openDatabase({ ...(url && { url }), dataDir: config.dataDir, mode: 'join', log })
  const issuer = await openBuiltInIssuer(config, database, { now: Date.now, log })
  const [admin] = await database.query<{ id: string }>(
    { name: 'bench_admin', text: `select id from account where role_id = 'admin' and disabled_at is null limit 1` },
    [],
  )
  if (!issuer || !admin) throw new Error('the population has no administrator')
  const { access_token } = await issuer.tokenFor(admin.id)
  await database.close()
  return access_token
}

/** Fields 14 and 15 of proc(5) stat: ticks of a hundredth of a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function statusMiB(pid: number, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(Number(line?.[1]) / 1_024)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
