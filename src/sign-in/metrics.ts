import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import type { Rows } from '../platform/database/database.ts'
import type { BreachedPasswords } from './passwords/breached-passwords.ts'

/** Each scrape reads the gauge from the database. */
export function registerSignInLockouts(registry: Registry, rows: Rows): void {
  new Gauge({
    name: 'muster_sign_in_waits',
    help: 'Waits in force after attempts to sign in: of accounts (addresses, devices, sessions, second steps) and of networks.',
    labelNames: ['scope'],
    registers: [registry],
    async collect() {
      // NaN without a database: the scrape still gets the other metrics.
      const [row] = await rows.query<{ account: number; network: number }>(waitsStatement, []).catch(() => [])
      this.set({ scope: 'account' }, row?.account ?? Number.NaN)
      this.set({ scope: 'network' }, row?.network ?? Number.NaN)
    },
  })
}

/** Of this process. Only a service that is asked is counted: the file always answers. */
export function registerBreachedPasswords(registry: Registry, { lookups: asked }: BreachedPasswords): void {
  new Counter({
    name: 'muster_pwned_passwords_asked_total',
    help: 'New passwords that MUSTER_PWNED_PASSWORDS_URL was asked about, by the answer.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(asked)) this.inc({ outcome }, count)
    },
  })
}

/** No wait outlasts ten steps of an hour. Buckets of networks are the large ones. */
const waitsStatement = {
  name: 'sign_in_waits',
  text: `
select count(*) filter (where capacity < 100)::int as account, count(*) filter (where capacity >= 100)::int as network
from sign_in_bucket
where touched_at > now() - interval '11 hours' and full_at - now() > (capacity - 1) * step`,
}
