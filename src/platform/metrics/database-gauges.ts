import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import type { DatabaseHealth } from '../database/database.ts'
import { databaseStates } from '../database/state.ts'

export function registerDatabase(registers: Registry[], read: () => DatabaseHealth): void {
  new Gauge({
    name: 'muster_database_state',
    help: 'State of the database: 1 for the present one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { state } = read()
      for (const each of databaseStates) this.set({ state: each }, Number(each === state))
    },
  })
  new Counter({
    name: 'muster_database_failures_total',
    help: 'Failed statements and connections, by SQLSTATE or by the code of the system.',
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
    help: 'Connections of each pool that are busy and idle, and requests that wait for one.',
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
    help: 'Connections that each pool may open.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { max }] of pools()) this.set({ pool }, max)
    },
  })
  new Counter({
    name: 'muster_database_pool_refusals_total',
    help: 'Requests refused because every connection of the pool was in use.',
    labelNames: ['pool'],
    registers,
    collect() {
      this.reset()
      for (const [pool, { refused }] of pools()) this.inc({ pool }, refused)
    },
  })
}
