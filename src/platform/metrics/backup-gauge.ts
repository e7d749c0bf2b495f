import { Gauge, type Registry } from 'prom-client'

/** `read` resolves with seconds since 1970, 0 without a backup. */
export function registerBackup(registry: Registry, read: () => Promise<number>): void {
  new Gauge({
    name: 'muster_backup_timestamp_seconds',
    help: 'When the last backup of the embedded database was complete, in seconds since 1970; 0 if there is none.',
    registers: [registry],
    aggregator: 'first',
    async collect() {
      this.set(await read().catch(() => Number.NaN))
    },
  })
}
