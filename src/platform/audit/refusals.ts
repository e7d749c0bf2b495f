import type { Rows } from '../database/database.ts'
import type { AuditOrigin, AuditTarget } from './audit.ts'

/**
 * Records that a sign-in was refused. Further refusals of the same account and client within ten minutes are counted in the same event, in
 * its member `count`: otherwise each guess would be a row. Of two first ones at once there may be two events.
 */
export async function recordRefusal(
  rows: Rows,
  {
    target,
    origin,
    step,
  }: { readonly target?: AuditTarget | undefined; readonly origin: AuditOrigin; readonly step?: 'second' },
): Promise<void> {
  await rows.query(refusalStatement, [
    target?.kind ?? null,
    target?.id ?? null,
    origin.address ?? null,
    origin.requestId ?? null,
    step ?? null,
  ])
}

/** $1 and $2 target, $3 address, $4 request, $5 step, each but for the first of both may be null. */
const refusalStatement = {
  name: 'audit_refusal',
  text: `
with known as (
  select id from audit_event
  where action = 'session.refused' and address = $3::text and at > now() - interval '10 minutes'
    and target_id is not distinct from $2::text and details ->> 'step' is not distinct from $5::text
  order by at desc
  limit 1
), counted as (
  update audit_event e
  set details = e.details || jsonb_build_object('count', coalesce((e.details ->> 'count')::int, 1) + 1)
  from known where e.id = known.id
  returning e.id
)
insert into audit_event (action, target_kind, target_id, address, request_id, details)
select 'session.refused', $1::text, $2::text, $3::text, $4::text, json_strip_nulls(json_build_object('step', $5::text))::jsonb
where not exists (select from counted)`,
}
