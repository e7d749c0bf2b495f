import { Counter, Gauge, type Registry } from 'prom-client'

/** What is asked of the rooms when the metrics are read. */
export interface Readings {
  /** Kept answers: how many, their bytes, and how often one was there or not since the start. */
  answers(): {
    readonly count: number
    readonly bytes: number
    readonly hits: number
    readonly misses: number
    readonly isConnected: boolean
  }
  keyStates(): readonly { readonly issuer: string; readonly keys: string }[]
  connections(): { readonly open: number; readonly idle: number; readonly waiting: number }
}

export function readWhenAsked(registry: Registry, readings: Readings): void {
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('muster_answers_kept', 'Answers of user data that are kept.', () => readings.answers().count)
  gauge('muster_answers_kept_bytes', 'Memory that they take.', () => readings.answers().bytes)
  new Gauge({
    name: 'muster_answers_told',
    help: 'Whether changes are told, so that answers are kept: 1 or 0.',
    registers,
    aggregator: 'min',
    collect() {
      this.set(Number(readings.answers().isConnected))
    },
  })
  new Counter({
    name: 'muster_answers_total',
    help: 'Answers of user data, by whether they were kept already.',
    labelNames: ['kept'],
    registers,
    collect() {
      const { hits, misses } = readings.answers()
      this.reset()
      this.inc({ kept: 'true' }, hits)
      this.inc({ kept: 'false' }, misses)
    },
  })
  new Gauge({
    name: 'muster_database_connections',
    help: 'Connections of the pool, and requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { open, idle, waiting } = readings.connections()
      this.set({ state: 'busy' }, open - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  new Gauge({
    name: 'muster_issuer_keys',
    help: 'State of the keys of each issuer that is asked over the network: 1 for the one that it is in.',
    labelNames: ['issuer', 'state'],
    registers,
    aggregator: 'max',
    collect() {
      this.reset()
      for (const { issuer, keys } of readings.keyStates()) this.set({ issuer, state: keys }, 1)
    },
  })
}
