import { type AuditOrigin, recordAudit } from '../platform/audit/audit.ts'
import type { Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { refuse } from '../platform/problems.ts'
import type { IssuerNames } from './issuers/names.ts'
import { preferencePairs } from './preferences.ts'

const eventsOnPage = 500

/**
 * The personal data of an account, without secrets: chunks of one JSON text of the contract's `AccountExport`. Audit
 * events are read in pages, so memory stays constant. Records the export in the audit log first.
 * Problem: `user_unknown`, before the first chunk.
 */
export async function exportAccount(
  rows: Rows,
  {
    accountId,
    issuers,
    actorId,
    origin,
  }: {
    readonly accountId: string
    readonly issuers: IssuerNames
    readonly actorId?: string
    readonly origin?: AuditOrigin
  },
): Promise<AsyncGenerator<string, void, void>> {
  const [row] = await rows.query<{ head: object }>(headStatement, [accountId])
  const { head } = row ?? refuse('user_unknown')
  await recordAudit(rows, {
    action: 'account.exported',
    actorId,
    target: { kind: 'account', id: accountId },
    ...origin,
  })
  return pieces(rows, accountId, JSON.stringify(issuers.shown(head)))
}

async function* pieces(rows: Rows, accountId: string, head: string): AsyncGenerator<string, void, void> {
  // Drop the closing brace of `head`, so that `events` becomes its last member.
  yield `${head.slice(0, -1)},"events":[`
  let after: readonly [string, string] = ['-infinity', '00000000-0000-0000-0000-000000000000']
  let before = ''
  for (;;) {
    const page = await rows.query<EventRow>(eventsStatement, [accountId, ...after, eventsOnPage])
    for (const { event } of page) {
      yield before + event
      before = ','
    }
    const last = page.at(-1)
    if (!last || page.length < eventsOnPage) break
    after = [last.at, last.id]
  }
  yield ']}'
}

interface EventRow {
  readonly at: string
  readonly id: string
  readonly event: string
}

const listOf = (members: Readonly<Record<string, string>>, from: string, order: string) => `
  (select coalesce(json_agg(json_strip_nulls(json_build_object(${Object.entries(members)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(', ')})) order by ${order}), '[]') from ${from})`

const headStatement = {
  name: 'account_export',
  text: `
select json_build_object(
  'exportedAt', ${utcText('now()')},
  'account', json_strip_nulls(json_build_object(
    'id', a.id, 'email', a.email, 'emailProved', a.is_email_proved, 'role', a.role_id, ${preferencePairs}, 'createdAt', ${utcText('a.created_at')},
    'disabledAt', ${utcText('a.disabled_at')}, 'erasesAt', ${utcText('a.erases_at')},
    'signsInWith', (select c.email from credential c where c.account_id = a.id))),
  'identities', ${listOf({ issuer: 'i.issuer', subject: 'i.subject' }, 'identity i where i.account_id = a.id', 'i.issuer, i.subject')},
  'memberships', ${listOf(
    { orgId: 'o.id', name: 'o.name', role: 'm.role_id', joinedAt: utcText('m.joined_at') },
    'membership m join organization o on o.id = m.organization_id where m.account_id = a.id',
    'm.joined_at, o.id',
  )},
  'invitations', ${listOf(
    { orgId: 'o.id', name: 'o.name', role: 'i.role_id', expiresAt: utcText('i.expires_at') },
    'invitation i join organization o on o.id = i.organization_id where i.email = lower(a.email) and a.is_email_proved',
    'i.id',
  )},
  'subscriptions', ${listOf(
    {
      id: 's.id',
      processor: 'c.processor',
      customer: 'c.id',
      items: `(select coalesce(json_agg(json_strip_nulls(json_build_object('price', price_id, 'quantity', quantity)) order by n), '[]')
               from unnest(s.price_ids, s.quantities) with ordinality item (price_id, quantity, n))`,
      product: 's.product_name',
      status: 's.status',
      createdAt: utcText('s.created_at'),
      currentPeriodEnd: utcText('s.current_period_end'),
      cancelAtPeriodEnd: 's.cancel_at_period_end',
      trialEnd: utcText('s.trial_end'),
    },
    'customer c join subscription s on s.customer_id = c.id where c.account_id = a.id',
    's.created_at, s.id',
  )},
  'sessions', ${listOf(
    {
      id: 's.id',
      createdAt: utcText('s.created_at'),
      lastUsedAt: utcText('s.last_used_at'),
      expiresAt: utcText('s.expires_at'),
      endedAt: utcText('s.ended_at'),
      amr: 's.amr',
      address: 's.address',
      userAgent: 's.user_agent',
      orgId: 's.organization_id',
    },
    'session s where s.account_id = a.id',
    's.created_at, s.id',
  )},
  'devices', ${listOf(
    { id: 'd.id', label: 'd.label', createdAt: utcText('d.created_at'), lastUsedAt: utcText('d.last_used_at') },
    'device d where d.account_id = a.id',
    'd.created_at, d.id',
  )},
  'factors', ${listOf(
    { id: 'f.id', type: 'f.type', friendlyName: 'f.friendly_name', createdAt: utcText('f.created_at') },
    'second_factor f where f.account_id = a.id',
    'f.created_at, f.id',
  )}) as head
from account a
where a.id = $1`,
}

/**
 * $1 account, $2 and $3 position of the page, $4 page size. `actor` is named only for events that someone else caused.
 */
const eventsStatement = {
  name: 'account_export_events',
  text: `
select e.at::text as at, e.id, json_strip_nulls(json_build_object(
         'id', e.id, 'at', ${utcText('e.at')}, 'action', e.action,
         'target', case when e.target_kind is not null then json_build_object('kind', e.target_kind, 'id', e.target_id) end,
         'address', e.address, 'details', e.details))::text as event
from audit_event e
where e.actor_id = $1 and (e.at, e.id) > ($2::timestamptz, $3::uuid)
order by e.at, e.id
limit $4`,
}
