import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import type { Rows } from '../platform/database/database.ts'
import type { BreachedPasswords } from './passwords/breached-passwords.ts'

/** A gauge of active sign-in rate limits, read from the database by each scrape. */
export function registerSignInLockouts(registry: Registry, rows: Rows): void {
  new Gauge({
    name: 'muster_sign_in_waits',
    help: 'Active sign-in rate limits: of accounts (emails, devices, sessions, second steps) and of networks.',
    labelNames: ['scope'],
    registers: [registry],
    async collect() {
      // Reports NaN while the database is down, so that the rest of the scrape succeeds.
      const [row] = await rows.query<{ account: number; network: number }>(waitsStatement, []).catch(() => [])
      this.set({ scope: 'account' }, row?.account ?? Number.NaN)
      this.set({ scope: 'network' }, row?.network ?? Number.NaN)
    },
  })
}

/** Counts lookups at the external service by this process. Lookups in the file are not counted. */
export function registerBreachedPasswords(registry: Registry, { lookups }: BreachedPasswords): void {
  new Counter({
    name: 'muster_pwned_passwords_asked_total',
    help: 'Lookups of new passwords at MUSTER_PWNED_PASSWORDS_URL, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(lookups)) this.inc({ outcome }, count)
    },
  })
}

/** No limit lasts longer than ten steps of one hour. */
const waitsStatement = {
  name: 'sign_in_waits',
  text: `
select count(*) filter (where scope = 'account')::int as account, count(*) filter (where scope = 'network')::int as network
from sign_in_bucket
where touched_at > now() - interval '11 hours' and full_at - now() > (capacity - 1) * step`,
}
