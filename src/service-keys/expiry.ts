import { Gauge, type Registry } from '@prometheus-io/client'
import type { Logger } from 'pino'
import type { Rows } from '../platform/database/database.ts'

const warnDays = 14
const warnEveryMs = 12 * 3_600_000

/** Each scrape reads the gauge from the database. */
export function registerServiceKeys(registry: Registry, rows: Rows): void {
  new Gauge({
    name: 'muster_service_keys_expiring',
    help: `Number of service keys that expire within ${warnDays} days and have not been rotated.`,
    registers: [registry],
    async collect() {
      // Reports NaN while the database is down, so that the rest of the scrape succeeds.
      const found = await readExpiringKeys(rows).catch(() => undefined)
      this.set(found?.length ?? Number.NaN)
    },
  })
}

/** Logs a warning about keys that expire soon, now and twice a day. */
export function watchExpiry(rows: Rows, log: Pick<Logger, 'warn'>): { stop(): Promise<void> } {
  let running = warn()
  const timer = setInterval(() => {
    running = warn()
  }, warnEveryMs)
  timer.unref()

  async function warn(): Promise<void> {
    try {
      const keys = await readExpiringKeys(rows)
      if (keys.length > 0) log.warn({ keys }, `service keys expire within ${warnDays} days: rotate them`)
    } catch (error) {
      log.warn({ err: error }, 'cannot read the expiry of service keys')
    }
  }

  return {
    stop() {
      clearInterval(timer)
      return running
    },
  }
}

interface ExpiringKey {
  readonly id: string
  readonly name: string
  readonly expiresAt: Date
}

export function readExpiringKeys(rows: Rows): Promise<ExpiringKey[]> {
  return rows.query<ExpiringKey>(expiringStatement, [])
}

const expiringStatement = {
  name: 'service_keys_expiring',
  text: `
select id, name, expires_at as "expiresAt" from service_key
where revoked_at is null and rotated_at is null and expires_at between now() and now() + interval '${warnDays} days'
order by expires_at
limit 1000`,
}
