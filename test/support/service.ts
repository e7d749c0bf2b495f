import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { request } from 'undici'
import { onTestFinished } from 'vitest'
import { buildApp, type Parts } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { openParts } from '../../src/parts.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { listen } from '../../src/platform/http/listen.ts'
import { createLog } from '../../src/platform/log.ts'
import { Secret } from '../../src/platform/secret.ts'
import { createPasswordAccount } from '../../src/sign-in/passwords/password-accounts.ts'
import { checkAnswer } from './contract-check.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** Parsed, where the body is JSON. */
  readonly body: unknown
}

export interface Call {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Sent as it is. */
  readonly rawBody?: string | Buffer
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly token: string
}

export interface Service {
  readonly url: string
  readonly app: FastifyInstance
  readonly parts: Parts
  readonly database: Database
  readonly fresh: FreshDatabase
  readonly config: Config
  /** Every line that the service logged, at every level. */
  readonly logged: () => string
  readonly clock: {
    advanceSeconds(seconds: number): void
    now(): number
    /** The clock that measures the age of a proof, which no correction of the time moves. */
    advanceMonotonicSeconds(seconds: number): void
  }
  readonly drain: () => void
  get(path: string, call?: Call): Promise<Answer>
  post(path: string, call?: Call): Promise<Answer>
  call(method: string, path: string, call?: Call): Promise<Answer>
  person(options?: { role?: string; email?: string; password?: string }): Promise<Person>
  /** Runs SQL of the test's own, and waits until the service has been told of what it changed. */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>
  /** A database that several services share, as nodes do. */
  readonly on?: FreshDatabase
}

/** The true application over real HTTP, on a database of its own. Every answer is held to the contract. */
export async function startService({ env = {}, on }: ServiceOptions = {}): Promise<Service> {
  const fresh = on ?? (await freshDatabase())
  const lines: string[] = []
  const keep = (line: string) => {
    lines.push(line)
  }
  const log: Logger = createLog('trace', { destination: { write: keep } })
  const config = readConfig({
    MUSTER_PORT: '0',
    MUSTER_ENCRYPTION_KEY: encryptionKey,
    MUSTER_PUBLIC_URL: 'http://muster.test',
    ...env,
  })
  let skewMs = 0
  let monotonicSkewMs = 0
  let isDraining = false
  const clock = {
    now: () => Date.now() + skewMs,
    advanceSeconds(seconds: number) {
      skewMs += seconds * 1_000
    },
    advanceMonotonicSeconds(seconds: number) {
      monotonicSkewMs += seconds * 1_000
    },
  }
  const parts = await openParts(config, fresh.database, {
    log,
    now: clock.now,
    monotonic: () => performance.now() + monotonicSkewMs,
    isDraining: () => isDraining,
  })
  const app = buildApp(parts)
  const url = await listen(app, config)

  const call: Service['call'] = async (method, path, { token, headers = {}, body, rawBody } = {}) => {
    const answer = await request(`${url}${path}`, {
      method: method as 'GET',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(rawBody !== undefined && { body: rawBody }),
    })
    const text = await answer.body.text()
    const isJson = /[/+]json\b/.test(String(answer.headers['content-type']))
    const received = {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
    checkAnswer(method, path, received)
    return received
  }

  const service: Service = {
    url,
    app,
    parts,
    database: fresh.database,
    fresh,
    config,
    logged: () => lines.join(''),
    clock,
    drain() {
      isDraining = true
    },
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, options) => call('POST', path, options),
    async person({
      role = 'user',
      email = `${randomBytes(6).toString('hex')}@example.com`,
      password = 'correct horse',
    } = {}) {
      const id = await createPasswordAccount(fresh.database, { email, password: new Secret(password), roleId: role })
      if (id === undefined || !parts.issuer) throw new Error(`no person could be made for ${email}`)
      return { id, email, password, token: (await parts.issuer.tokenFor(id)).access_token }
    },
    async sql(text, values = []) {
      const rows = await fresh.sql<never>(text, values)
      await parts.invalidation.settled()
      return rows
    },
    async stop() {
      await app.close()
      await parts.invalidation.stop()
      await parts.issuers.close()
      await parts.validation.close()
      if (!on) await fresh.drop()
    },
  }
  return service
}

/** A service for one test. */
export async function serviceForTest(options?: ServiceOptions): Promise<Service> {
  const service = await startService(options)
  onTestFinished(() => service.stop())
  return service
}

const encryptionKey = randomBytes(32).toString('base64')
