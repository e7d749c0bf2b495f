import { Client } from 'pg'
import { expect } from 'vitest'
import type { Service } from './service.ts'

/** Cuts every connection of the service and lets no new one in, until `back()`. */
export async function takeDatabaseAway({ fresh }: Service): Promise<{ back: () => Promise<void> }> {
  const name = new URL(fresh.url).pathname.slice(1)
  const maintenance = new URL(fresh.adminUrl)
  maintenance.pathname = '/postgres'
  const admin = new Client(maintenance.href)
  await admin.connect()
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [name])
  // The signal is answered at once, and obeyed when the machine comes to it.
  const left = () => admin.query('select from pg_stat_activity where datname = $1', [name])
  await expect.poll(async () => (await left()).rowCount).toBe(0)
  return {
    async back() {
      await admin.query(`alter database ${name} allow_connections true`)
      await admin.end()
    },
  }
}
