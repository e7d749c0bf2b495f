import { Gauge, type Registry } from '@prometheus-io/client'

/** `read` resolves with the last backup, where there is one. */
export function registerBackup(registry: Registry, read: () => Promise<{ readonly at: Date } | undefined>): void {
  new Gauge({
    name: 'muster_backup_timestamp_seconds',
    help: 'When the last daily backup of the embedded database was made, in seconds since 1970; 0 if there is none.',
    registers: [registry],
    async collect() {
      const seconds = read().then((backup) => (backup ? backup.at.getTime() / 1_000 : 0))
      this.set(await seconds.catch(() => Number.NaN))
    },
  })
}
