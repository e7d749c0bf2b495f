import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { request } from 'undici'
import { readConfig } from '../../src/config.ts'
import { openBuiltInIssuer } from '../../src/service/encryption.ts'
import type { FreshDatabase } from './database.ts'
import { httpClient } from './http-client.ts'
import { asOwnSession, createPerson } from './person.ts'
import type { Service } from './service.ts'

const program = fileURLToPath(new URL('../../dist/bundle/main.cjs', import.meta.url))

/** The built bundle in a process of its own, as `npm start` runs it. What only the sources in this process have throws. */
export async function startBundledService(
  settings: Readonly<Record<string, string>>,
  fresh: FreshDatabase,
): Promise<Service> {
  const config = readConfig(settings)
  const { url, logged, stop } = await withoutFirstAdmin(fresh, () => startBundle(settings, fresh))
  const log = pino({ level: 'silent' })
  const issuer = await openBuiltInIssuer(config, fresh.database, { now: Date.now, log })

  async function tokenFor(accountId: string): Promise<string> {
    if (!issuer) throw new Error('the built-in issuer is disabled')
    return asOwnSession(fresh, (await issuer.tokenFor(accountId)).access_token)
  }

  return {
    ...httpClient(url),
    url,
    logged,
    stop,
    fresh,
    database: fresh.database,
    config,
    env: settings,
    tokenFor,
    person: (options = {}) => createPerson(fresh.database, tokenFor, options),
    async sql(text, values = []) {
      const rows = await fresh.sql<never>(text, values)
      // The answer to a request that may change something is sent when this node knows of every earlier change.
      const { body } = await request(`${url}/api/v1/orgs`, { method: 'POST' })
      await body.dump()
      return rows
    },
    clock: {
      now: Date.now,
      advanceSeconds: () => refuse('clock'),
    },
    drain: () => refuse('drain'),
    get app(): never {
      return refuse('app')
    },
    get parts(): never {
      return refuse('parts')
    },
  }
}

function refuse(member: string): never {
  throw new Error(
    `The bundle in a process of its own has no "${member}" for a test: see test/support/in-process-only.ts.`,
  )
}

interface Bundle {
  readonly url: string
  readonly logged: () => Promise<string>
  readonly stop: () => Promise<void>
}

async function startBundle(settings: Readonly<Record<string, string>>, { url }: FreshDatabase): Promise<Bundle> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bundle-'))
  const env = {
    PATH: process.env.PATH,
    MUSTER_DATA_DIR: folder,
    MUSTER_LOG_LEVEL: 'trace',
    MUSTER_LAME_DUCK_SECONDS: '0',
    DATABASE_URL: url,
    ...settings,
  }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit').finally(() => rm(folder, { recursive: true }))
  const lines: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => lines.push(text))
  const reader = createInterface({ input: child.stdout })
  const ready = new Promise<string>((resolve) => {
    reader.on('line', (line) => {
      lines.push(`${line}\n`)
      // No other line is parsed: the last one of a killed program may be incomplete.
      if (line.endsWith('"msg":"ready"}')) resolve(JSON.parse(line).address)
    })
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  const failed = exited.then(() => Promise.reject(new Error(`the bundle has ended: ${lines.join('')}`)))
  const address = await Promise.race([ready, failed, silence(lines)])
  // A line arrives through a pipe, after the answer that it is about, and before the line of a request that follows.
  const logged = async () => {
    const { headers, body } = await request(address)
    await body.dump()
    const last = String(headers['x-request-id'])
    while (!lines.some((line) => line.includes(last))) await once(reader, 'line')
    return lines.join('')
  }
  return { url: address, logged, stop }
}

/** A start that takes so long has stopped somewhere, and what it logged says where. */
async function silence(lines: readonly string[]): Promise<never> {
  await setTimeout(startTimeoutMs, undefined, { ref: false })
  throw new Error(`the bundle is not ready: ${lines.join('')}`)
}

const startTimeoutMs = 90_000

/** The first start in an empty database makes an administrator, whom the tests do not expect. */
async function withoutFirstAdmin<Result>(fresh: FreshDatabase, start: () => Promise<Result>): Promise<Result> {
  const [account] = await fresh.sql<{ id: string }>('insert into account default values returning id')
  try {
    return await start()
  } finally {
    await fresh.sql('delete from account where id = $1', [account?.id])
  }
}
