import type { Rows } from '../../platform/database/database.ts'
import { emptyBuckets } from './bucket-rows.ts'
import { buckets } from './buckets.ts'

/** Gives an account every attempt to sign in back, whatever was charged for it: by its address, networks, devices, sessions and codes. */
export async function emptyAccountBuckets(rows: Rows, accountId: string): Promise<void> {
  const [account] = await rows.query<AccountRow>(chargedStatement, [accountId])
  if (!account) return
  const { email, networks, devices, sessions } = account
  const charged = [
    buckets.name(email),
    ...networks.map((network) => buckets.nameInNetwork(email, network)),
    ...devices.map((hash) => buckets.device(Buffer.from(hash, 'hex'))),
    ...sessions.map(buckets.session),
    buckets.code(accountId),
  ]
  await emptyBuckets(
    rows,
    charged.map(({ key }) => key),
  )
}

/** Gives the codes of the account back, which the owner has no need to guess. */
export async function emptyCodeBucket(rows: Rows, accountId: string): Promise<void> {
  await emptyBuckets(rows, [buckets.code(accountId).key])
}

interface AccountRow {
  readonly email: string
  readonly networks: readonly string[]
  /** Hashes of their tokens, in hexadecimal. */
  readonly devices: readonly string[]
  readonly sessions: readonly string[]
}

const chargedStatement = {
  name: 'account_charged',
  text: `
select c.email,
       array(select distinct s.network from session s
             where s.account_id = c.account_id and s.network is not null limit 1000) as networks,
       array(select encode(d.hash, 'hex') from device d where d.account_id = c.account_id limit 100) as devices,
       array(select s.id::text from session s
             where s.account_id = c.account_id and s.ended_at is null limit 1000) as sessions
from credential c
where c.account_id = $1`,
}
