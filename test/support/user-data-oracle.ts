/**
 * User data by one statement of SQL, written independently of the service, which reads an account's rows and computes the rest in memory.
 * $1 issuer, $2 subject, $3 id of the session, $4 organization or null. Answers the JSON text of the user's id, the permissions and what is shown of
 * subscriptions, organization and factors; no row for an unknown, disabled or ended caller. Without the first login.
 */
export const userDataOracle = `
with me as (
  select a.id, a.role_id, coalesce(s.aal, 1) as aal, r.requires_mfa and coalesce(s.aal, 1) < 2 as is_withheld,
         s.organization_id as chosen
  from identity i
  join account a on a.id = i.account_id
  join role r on r.id = a.role_id
  left join session s on s.id = $3::uuid and s.account_id = a.id and s.ended_at is null and s.expires_at > now()
  where i.issuer = $1 and i.subject = $2 and a.disabled_at is null and ($3::uuid is null or s.id is not null)
), home as (
  select m.organization_id, m.role_id, o.requires_mfa and m.aal < 2 as is_organization_withheld,
         (o.requires_mfa or r.requires_mfa) and m.aal < 2 as is_withheld
  from (
    select m.organization_id, m.role_id, me.aal
    from me join membership m on m.account_id = me.id
    where $4::uuid is null or m.organization_id = $4
    order by coalesce(m.organization_id = me.chosen, false) desc, m.joined_at, m.organization_id
    limit 1
  ) m
  join organization o on o.id = m.organization_id
  join role r on r.id = m.role_id
), had as (
  select s.*, c.account_id is not null as own, c.organization_id, s.status in ('active', 'trialing', 'past_due') as in_force
  from customer c
  join subscription s on s.customer_id = c.id
  where c.account_id = (select id from me) or c.organization_id = (select organization_id from home)
), item as (
  select had.id, n, p.id as plan_id, p.name, p.rank, had.quantities[n] as quantity
  from had, generate_subscripts(had.price_ids, 1) n
  join plan_price pp on true
  join plan p on p.id = pp.plan_id
  where pp.price_id = had.price_ids[n]
), paid as (
  select had.*, best.plan_id as known_plan, best.name as known_name, case when best.plan_id is null then had.quantities[1] else best.quantity end as quantity,
         row_number() over (partition by own order by
           (case when in_force then 2 else 0 end + case when best.plan_id is not null then 1 else 0 end) desc,
           case when in_force then -best.rank
                else nullif(position(',' || had.status || ',' in ',unpaid,paused,incomplete,canceled,incomplete_expired,'), 0) end,
           had.created_at desc, had.id) as n
  from had
  left join (select distinct on (id) * from item order by id, rank desc, n) best using (id)
), shown as (
  select own, coalesce(known_plan, price_ids[1]) as plan_id, coalesce(known_name, product_name) as plan_name, status,
         customer_id as billing_customer_id, organization_id
  from paid where n = 1
  union all
  select true, p.id, p.name, 'active', null, null
  from plan p where p.is_default and not exists (select from paid where own)
), holding as (
  select true as own, id as plan_id from plan where is_default
  union all
  select had.own, item.plan_id from had join item using (id) where had.in_force
), given as (
  select g.resource, g.action, me.is_withheld
  from me join role_grant g using (role_id)
  where permission_scope(g.resource, g.action) in ('service', 'account', 'product')
  union all
  select g.resource, g.action, home.is_withheld
  from home join role_grant g using (role_id)
  where permission_scope(g.resource, g.action) in ('organization', 'product')
  union all
  select g.resource, g.action, not holding.own and (select is_organization_withheld from home)
  from holding join plan_grant g using (plan_id)
  where permission_scope(g.resource, g.action) = 'product' or holding.own and permission_scope(g.resource, g.action) = 'account'
), granted as (
  select distinct resource, action from given where not is_withheld
)
select json_strip_nulls(json_build_object(
  'userId', (select id from me),
  'subscription', (
    select json_build_object('plan_id', plan_id, 'plan_name', plan_name, 'status', status, 'billing_customer_id', billing_customer_id)
    from shown where own),
  'orgSubscription', (
    select json_build_object('plan_id', plan_id, 'plan_name', plan_name, 'status', status,
                             'billing_customer_id', billing_customer_id, 'org_id', organization_id)
    from shown where not own),
  'permissions', coalesce((
    select json_object_agg(resource, actions order by resource collate "C")
    from (select resource, json_agg(action order by action collate "C") as actions from granted group by resource) r), '{}'),
  'orgId', (select organization_id from home),
  'mfaFactors', coalesce((
    select json_agg(json_build_object('id', f.id, 'friendlyName', f.friendly_name) order by f.id)
    from directory_factor f where f.account_id = me.id), '[]'),
  'mfaRequired', me.is_withheld or coalesce((select is_withheld from home), false),
  'subscriptions', coalesce((
    select json_agg(json_build_object(
             'id', id, 'orgId', organization_id, 'plan', case when known_plan is not null then json_build_object('id', known_plan, 'name', known_name) end,
             'productName', product_name, 'status', status, 'currentPeriodEnd', to_char(current_period_end at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'cancelAtPeriodEnd', cancel_at_period_end, 'trialEnd', to_char(trial_end at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'quantity', quantity) order by own desc, n)
    from paid), '[]')
)) as data
from me`
