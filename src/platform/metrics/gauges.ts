import { Gauge, type Registry } from '@prometheus-io/client'
import type { DatabaseHealth } from '../database/database.ts'
import type { SchemaState } from '../database/schema.ts'
import { registerDatabase } from './database-gauges.ts'
import { registerSchema } from './schema-gauges.ts'

/** State that is read when the metrics are read. */
export interface Readings {
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
    help: 'How far the clock of this node is ahead of that of the database, as measured by the last health check.',
    registers,
    collect() {
      this.set(readings.clockOffsetSeconds())
    },
  })
  new Gauge({
    name: 'muster_issuer_keys',
    help: 'State of the verification keys of each remote issuer: 1 for its present state.',
    labelNames: ['issuer', 'state'],
    registers,
    collect() {
      this.reset()
      for (const { issuer, keys } of readings.keyStates()) this.set({ issuer, state: keys }, 1)
    },
  })
}
