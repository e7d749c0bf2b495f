import { Counter, Gauge, type Registry } from 'prom-client'
import type { Replicas } from '../database/replica/open-replicas.ts'
import { replicaStates } from '../database/replica/replica-host.ts'

/** Returns what counts a list that was read, by where, and by why not on a replica. Without replicas the metrics have no values. */
export function registerReplicas(
  registry: Registry,
  replicas: Pick<Replicas, 'health'> | undefined,
): (source: 'replica' | 'primary', reason: string) => void {
  const registers = [registry]
  const health = () => replicas?.health() ?? []
  new Gauge({
    name: 'muster_replica_state',
    help: 'State of each replica: 1 for the present one.',
    labelNames: ['replica', 'state'],
    registers,
    // One worker that cannot read there is worth the alarm.
    aggregator: 'max',
    collect() {
      for (const { name, state } of health())
        for (const each of replicaStates) this.set({ replica: name, state: each }, Number(each === state))
    },
  })
  new Gauge({
    name: 'muster_replica_lag_seconds',
    help: 'How old a list from each replica can be at most. NaN where it is not known.',
    labelNames: ['replica'],
    registers,
    aggregator: 'max',
    collect() {
      for (const { name, lagSeconds } of health())
        this.set({ replica: name }, Number.isFinite(lagSeconds) ? lagSeconds : Number.NaN)
    },
  })
  new Gauge({
    name: 'muster_replica_connections',
    help: 'Connections of each pool to each replica that are busy and idle, and lists that wait for one.',
    labelNames: ['replica', 'pool', 'state'],
    registers,
    collect() {
      for (const { name: replica, pools } of health())
        for (const [pool, { open, idle, waiting }] of Object.entries(pools)) {
          this.set({ replica, pool, state: 'busy' }, open - idle)
          this.set({ replica, pool, state: 'idle' }, idle)
          this.set({ replica, pool, state: 'waiting' }, waiting)
        }
    },
  })
  const reads = new Counter({
    name: 'muster_list_reads_total',
    help: 'Lists and pages of lists read, by server, and by why it was not a replica.',
    labelNames: ['source', 'reason'],
    registers,
  })
  if (replicas) reads.inc({ source: 'replica', reason: 'none' }, 0)
  return (source, reason) => reads.inc({ source, reason })
}
