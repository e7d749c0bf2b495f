import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { listen } from '../../src/platform/http/listen.ts'
import { createLog } from '../../src/platform/log.ts'
import type { Parts } from '../../src/service/parts.ts'
import { closeParts, openParts } from '../../src/service/parts.ts'
import { hashingLimits } from '../../src/sign-in/passwords/hashing-queue.ts'
import { chosenProxy, startProxyOf } from './behind-proxy.ts'
import { startBundledService } from './bundled-service.ts'
import type { FreshDatabase } from './database.ts'
import { type HttpClient, httpClient } from './http-client.ts'
import { asOwnSession, createPerson, type Person, type PersonOptions } from './person.ts'
import { reusedDatabase } from './reused-database.ts'

export type { Answer, Call } from './http-client.ts'
export type { Person } from './person.ts'

/** What is marked "in process" throws where the service is the bundle, in a process of its own. */
export interface Service extends HttpClient {
  readonly url: string
  /** In process. */
  readonly app: FastifyInstance
  /** In process. */
  readonly parts: Parts
  readonly database: Database
  readonly fresh: FreshDatabase
  readonly config: Config
  /** The settings that it was started with, for commands beside it. */
  readonly env: Readonly<Record<string, string>>
  /** Every line that the service has logged so far, at every level. */
  logged(): Promise<string>
  readonly clock: {
    /** In process. */
    advanceSeconds(seconds: number): void
    now(): number
  }
  /** In process. */
  readonly drain: () => void
  person(options?: PersonOptions): Promise<Person>
  /** An access token of the built-in issuer, with a session of its own. */
  tokenFor(accountId: string): Promise<string>
  /** Runs SQL of the test's own, and waits until the service has been told of what it changed. */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>
  /** A database that several services share, as nodes do. */
  readonly on?: FreshDatabase
  /** A built console of the test's own. In process. */
  readonly consoleFolder?: string
  /** Built documentation of the test's own. In process. */
  readonly guideFolder?: string
}

/** Whether the service is the built bundle in a process of its own: `MUSTER_TEST_PROGRAM=bundle`. */
const isBundle = process.env.MUSTER_TEST_PROGRAM === 'bundle'

/**
 * A test that needs the clock or the parts of the service, or the long time limits that it has here on a busy machine. It is not there
 * where the service is the bundle.
 */
export function testInProcess(title: string, run: () => Promise<void>): void {
  if (!isBundle) test(title, run)
}

/** The true application over real HTTP, on a database of its own. Every answer is held to the contract. */
export async function startService({ env = {}, on, ...folders }: ServiceOptions = {}): Promise<Service> {
  const fresh = on ?? (await reusedDatabase())
  const settings = {
    MUSTER_PORT: '0',
    MUSTER_ENCRYPTION_KEY: encryptionKey,
    MUSTER_PUBLIC_URL: 'http://muster.test',
    ...(chosenProxy() && { MUSTER_TRUSTED_PROXIES: '127.0.0.1' }),
    ...env,
  }
  const service = isBundle
    ? await startBundledService(settings, fresh)
    : await startServiceHere(settings, fresh, folders)
  const reached = await behindProxy(service)
  return on ? reached : withDrop(reached)
}

/** The service at the address of the proxy that `MUSTER_TEST_PROXY` names; without one as it is. */
async function behindProxy(service: Service): Promise<Service> {
  const proxy = chosenProxy()
  if (!proxy) return service
  const { stop } = service
  const running = await startProxyOf(proxy, service.url)
  return Object.assign(service, {
    ...httpClient(running.url, { acceptsGzip: true }),
    url: running.url,
    async stop() {
      await running.stop()
      await stop()
    },
  })
}

/** Stops the service, and then removes its database. */
function withDrop(service: Service): Service {
  const { stop } = service
  service.stop = async () => {
    await stop()
    await service.fresh.drop()
  }
  return service
}

async function startServiceHere(
  settings: Readonly<Record<string, string>>,
  fresh: FreshDatabase,
  folders: Pick<ServiceOptions, 'consoleFolder' | 'guideFolder'>,
): Promise<Service> {
  const lines: string[] = []
  const keep = (line: string) => {
    lines.push(line)
  }
  const log: Logger = createLog('trace', { destination: { write: keep } })
  const config = readConfig(settings)
  let skewMs = 0
  let isDraining = false
  const clock = {
    now: () => Date.now() + skewMs,
    advanceSeconds(seconds: number) {
      skewMs += seconds * 1_000
    },
  }
  const parts = await openParts(config, fresh.database, {
    log,
    now: clock.now,
    isDraining: () => isDraining,
    // On a busy machine a turn may take longer than people wait.
    hashing: { ...hashingLimits(config.limits), waitMs: 30_000 },
    ...folders,
  })
  const app = buildApp(parts)
  const url = await listen(app, config)

  async function tokenFor(accountId: string): Promise<string> {
    if (!parts.issuer) throw new Error('the built-in issuer is disabled')
    return asOwnSession(fresh, (await parts.issuer.tokenFor(accountId)).access_token)
  }

  return {
    ...httpClient(url),
    url,
    app,
    parts,
    database: fresh.database,
    fresh,
    config,
    env: settings,
    logged: async () => lines.join(''),
    clock,
    drain() {
      isDraining = true
    },
    tokenFor,
    person: (options = {}) => createPerson(fresh.database, tokenFor, options),
    sql: (text, values = []) => fresh.sql<never>(text, values),
    async stop() {
      await app.close()
      await closeParts(parts)
    },
  }
}

/** A service for one test. */
export async function serviceForTest(options?: ServiceOptions): Promise<Service> {
  const service = await startService(options)
  onTestFinished(() => service.stop())
  return service
}

/** The address of the same service with other parts, until the test ends. In process. */
export async function addressWith(service: Service, parts: Partial<Parts>): Promise<string> {
  const app = buildApp({ ...service.parts, ...parts })
  onTestFinished(async () => {
    const closed = app.close()
    // A client that keeps its connection would delay this until the connection may be closed as idle.
    app.server.closeAllConnections()
    await closed
  })
  return listen(app, service.config)
}

const encryptionKey = randomBytes(32).toString('base64')
