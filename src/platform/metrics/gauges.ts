import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import type { DatabaseHealth } from '../database/database.ts'
import { databaseStates } from '../database/faults.ts'
import type { SchemaState } from '../database/schema.ts'
import type { LimitLog } from '../limit-log.ts'

/** Called for each scrape. */
interface Readings {
  clockOffsetSeconds(): number
  keyStates(): readonly { readonly issuer: string; readonly keys: string }[]
  database(): DatabaseHealth
  schema(): SchemaState
}

export function registerGauges(registry: Registry, readings: Readings): void {
  const registers = [registry]
  registerDatabase(registers, () => readings.database())
  registerSchema(registry, () => readings.schema())
  new Gauge({
    name: 'muster_clock_offset_seconds',
    help: 'Seconds by which the clock of this node is ahead of the clock of the database, at the last health check.',
    registers,
    collect() {
      this.set(readings.clockOffsetSeconds())
    },
  })
  new Gauge({
    name: 'muster_issuer_keys',
    help: 'State of the verification keys of each remote issuer: 1 for the current state.',
    labelNames: ['issuer', 'state'],
    registers,
    collect() {
      this.reset()
      for (const { issuer, keys } of readings.keyStates()) this.set({ issuer, state: keys }, 1)
    },
  })
}

function registerDatabase(registers: Registry[], read: () => DatabaseHealth): void {
  new Gauge({
    name: 'muster_database_state',
    help: 'State of the database: 1 for the current state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { state } = read()
      for (const name of databaseStates) this.set({ state: name }, Number(name === state))
    },
  })
  new Counter({
    name: 'muster_database_failures_total',
    help: 'Failed statements and connections, by SQLSTATE or system error code.',
    labelNames: ['code'],
    registers,
    collect() {
      this.reset()
      for (const [code, count] of read().failures) this.inc({ code }, count)
    },
  })
  registerPools(registers, read)
}

function registerPools(registers: Registry[], read: () => DatabaseHealth): void {
  const pools = () => Object.entries(read().pools)
  new Gauge({
    name: 'muster_database_connections',
    help: 'Busy and idle connections of each pool, and requests waiting for one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { open, idle, waiting }] of pools()) {
        this.set({ pool, state: 'busy' }, open - idle)
        this.set({ pool, state: 'idle' }, idle)
        this.set({ pool, state: 'waiting' }, waiting)
      }
    },
  })
  new Gauge({
    name: 'muster_database_connections_max',
    help: 'Maximum connections of each pool.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { max }] of pools()) this.set({ pool }, max)
    },
  })
  new Counter({
    name: 'muster_database_pool_refusals_total',
    help: 'Requests rejected because every connection of the pool was in use.',
    labelNames: ['pool'],
    registers,
    collect() {
      this.reset()
      for (const [pool, { refused }] of pools()) this.inc({ pool }, refused)
    },
  })
}

function registerSchema(registry: Registry, read: () => SchemaState): void {
  const gauge = (name: string, help: string, valueIn: (schema: SchemaState) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(valueIn(read()))
      },
    })
  gauge(
    'muster_schema_version',
    'Number of the newest migration in the database, as of the last request to /readyz.',
    ({ version }) => version,
  )
  gauge(
    'muster_schema_release_version',
    'Number of the newest migration that this release knows.',
    ({ releaseVersion }) => releaseVersion,
  )
}

/** `read` resolves with the last backup, or undefined if there is none. */
export function registerBackup(registry: Registry, read: () => Promise<{ readonly at: Date } | undefined>): void {
  new Gauge({
    name: 'muster_backup_timestamp_seconds',
    help: 'Time of the last daily backup of the embedded database, in seconds since 1970; 0 if there is none.',
    registers: [registry],
    async collect() {
      const seconds = read().then((backup) => (backup ? backup.at.getTime() / 1_000 : 0))
      // NaN if reading fails, so that the rest of the scrape succeeds.
      this.set(await seconds.catch(() => Number.NaN))
    },
  })
}

/** Starts each of `limits` at 0, so that reaching it for the first time is an increase. */
export function registerLimits(registry: Registry, log: LimitLog, limits: readonly string[]): void {
  new Counter({
    name: 'muster_limit_reached_total',
    help: 'How often a limit of the node was reached.',
    labelNames: ['limit'],
    registers: [registry],
    collect() {
      this.reset()
      for (const limit of limits) this.inc({ limit }, 0)
      for (const [limit, count] of log.counts()) this.inc({ limit }, count)
    },
  })
}
