import { Gauge, type Registry } from 'prom-client'
import type { Rows } from '../platform/database/database.ts'

/** Each scrape reads the gauge from the database. */
export function registerSignInWaits(registry: Registry, rows: Rows): void {
  new Gauge({
    name: 'muster_sign_in_waits',
    help: 'Addresses and networks that must wait before they can sign in, after wrong passwords and codes.',
    registers: [registry],
    // All workers read the same database.
    aggregator: 'first',
    async collect() {
      // NaN without a database: the scrape still gets the other metrics.
      const [row] = await rows.query<{ waits: number }>(waitsStatement, []).catch(() => [])
      this.set(row?.waits ?? Number.NaN)
    },
  })
}

/** Rows older than a day are deleted with the expired sessions. A delay lasts fifteen minutes at most. */
const waitsStatement = {
  name: 'sign_in_waits',
  text: `
select count(*)::int as waits from sign_in_wait
where failed_at > now() - interval '20 minutes' and waits_until > now()`,
}
