import { Counter, Gauge, type Registry } from 'prom-client'
import type { DatabaseHealth } from '../database/database.ts'
import type { SchemaState } from '../database/schema.ts'
import { registerDatabase } from './database-gauges.ts'
import { registerSchema } from './schema-gauges.ts'

/** State that is read when the metrics are read. */
export interface Readings {
  responseCache(): {
    readonly count: number
    readonly bytes: number
    /** Since the start. */
    readonly hits: number
    readonly misses: number
    readonly isConnected: boolean
    readonly proofAgeSeconds: number
  }
  clockOffsetSeconds(): number
  keyStates(): readonly { readonly issuer: string; readonly keys: string }[]
  database(): DatabaseHealth
  schema(): SchemaState
}

export function registerGauges(registry: Registry, readings: Readings): void {
  const registers = [registry]
  registerResponseCache(registers, readings)
  registerDatabase(registers, () => readings.database())
  registerSchema(registry, () => readings.schema())
  new Gauge({
    name: 'muster_clock_offset_seconds',
    help: 'How far the clock of this node is ahead of that of the database, as measured by the last health check.',
    registers,
    aggregator: 'average',
    collect() {
      this.set(readings.clockOffsetSeconds())
    },
  })
  new Gauge({
    name: 'muster_issuer_keys',
    help: 'State of the verification keys of each remote issuer: 1 for its present state.',
    labelNames: ['issuer', 'state'],
    registers,
    aggregator: 'max',
    collect() {
      this.reset()
      for (const { issuer, keys } of readings.keyStates()) this.set({ issuer, state: keys }, 1)
    },
  })
}

function registerResponseCache(registers: Registry[], { responseCache }: Readings): void {
  new Gauge({
    name: 'muster_response_cache_entries',
    help: 'Responses of user data in the cache.',
    registers,
    collect() {
      this.set(responseCache().count)
    },
  })
  new Gauge({
    name: 'muster_response_cache_bytes',
    help: 'Memory of the response cache.',
    registers,
    collect() {
      this.set(responseCache().bytes)
    },
  })
  new Gauge({
    name: 'muster_response_cache_connected',
    help: '1 while it is proven that the node knows the changes of the database; 0 while it is not, and the cache is disabled.',
    registers,
    // One disconnected worker is worth the alarm.
    aggregator: 'min',
    collect() {
      this.set(Number(responseCache().isConnected))
    },
  })
  new Gauge({
    name: 'muster_response_cache_proof_age_seconds',
    help: 'Age of the last proof that the node knows the changes of the database. Above MUSTER_FRESHNESS_SECONDS the cache is not used.',
    registers,
    aggregator: 'max',
    collect() {
      this.set(responseCache().proofAgeSeconds)
    },
  })
  new Counter({
    name: 'muster_response_cache_requests_total',
    help: 'Requests of user data, by whether the cache had the response.',
    labelNames: ['result'],
    registers,
    collect() {
      const { hits, misses } = responseCache()
      this.reset()
      this.inc({ result: 'hit' }, hits)
      this.inc({ result: 'miss' }, misses)
    },
  })
}
