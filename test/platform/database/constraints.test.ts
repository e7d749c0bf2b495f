import { expect, onTestFinished, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

const ada = `'a0000000-0000-7000-8000-000000000001'`
const engines = `'d0000000-0000-7000-8000-000000000004'`

const scene = `
insert into account (id, email, email_proved_at, email_proved_by) values (${ada}, 'ada@example.com', now(), 'link');
insert into credential (account_id, email, password) values (${ada}, 'ada@example.com', '');
insert into factor (account_id, friendly_name, secret) values (${ada}, 'Phone', '');
insert into passkey (account_id, friendly_name, credential_id, public_key, aaguid) values (${ada}, 'Laptop', '\\x00', '', ${engines});
insert into organization (id, name) values (${engines}, 'Engines');
insert into invitation (organization_id, role_id, token_hash, expires_at) values (${engines}, 'member', '\\x00', now());
insert into invitation (organization_id, role_id, email, expires_at) values (${engines}, 'member', 'ada@example.com', now());
insert into device (account_id, hash) values (${ada}, '\\x00');
insert into webhook_endpoint (id, url, events, secret) values (${ada}, 'https://example.com/', '{user.created}', '');
insert into webhook_event (id, type, subject, data) values (${ada}, 'user.created', '', '{}');
insert into webhook_delivery (endpoint_id, event_id) values (${ada}, ${ada}) on conflict do nothing;
insert into service_key (name, hash, hint, expires_at) values ('One', '\\x00', 'msk_', now())`

/** For each check and unique constraint except primary keys: a statement that only this constraint rejects. */
const refused: Readonly<Record<string, string>> = {
  account_display_name_check: `insert into account (display_name) values (' Ada')`,
  account_display_name_issuer_check: `insert into account (display_name_issuer, display_name_issued_at) values ('issuer', now())`,
  account_email_check: `insert into account (email) values ('a@')`,
  account_email_proved_by_check: `insert into account (email, email_proved_at, email_proved_by) values ('b@example.com', now(), 'x')`,
  account_email_proved_check: `insert into account (email_proved_at, email_proved_by) values (now(), 'link')`,
  account_erasing_check: `insert into account (erase_requested_at, erases_at) values (now(), now())`,
  account_language_check: `insert into account (language) values ('xx')`,
  account_proved_email: `insert into account (email, email_proved_at, email_proved_by) values ('ADA@example.com', now(), 'link')`,
  audit_event_action_check: `insert into audit_event (action) values ('Signed in')`,
  audit_event_actor_kind_check: `insert into audit_event (action, actor_kind) values ('a.b', 'robot')`,
  audit_event_address_check: `insert into audit_event (action, address) values ('a.b', '')`,
  audit_event_operator_check: `insert into audit_event (action, operator) values ('a.b', '')`,
  audit_event_check: `insert into audit_event (action, target_kind) values ('a.b', 'account')`,
  audit_event_details_check: `insert into audit_event (action, details) values ('a.b', '[]')`,
  audit_event_request_id_check: `insert into audit_event (action, request_id) values ('a.b', '')`,
  audit_event_target_id_check: `insert into audit_event (action, target_kind, target_id) values ('a.b', 'c', '')`,
  credential_email_key: `with other as (insert into account default values returning id)
    insert into credential (account_id, email, password) select id, 'ada@example.com', '' from other`,
  customer_check: `insert into customer (id, account_id, organization_id) values ('cus', ${ada}, ${engines})`,
  customer_check1: `insert into customer (id, claim_kind) values ('cus', 'account')`,
  customer_claim_kind_check: `insert into customer (id, claim_kind, claim_value, claim_rank, claim_at) values ('cus', 'x', 'y', 1, now())`,
  customer_claim_value_check: `insert into customer (id, claim_kind, claim_value, claim_rank, claim_at) values ('cus', 'any', '', 1, now())`,
  customer_processor_check: `insert into customer (id, processor) values ('cus', 'Stripe Inc.')`,
  device_hash_key: `insert into device (account_id, hash) values (${ada}, '\\x00')`,
  device_label_check: `insert into device (account_id, hash, label) values (${ada}, '\\x01', '')`,
  factor_account_id_friendly_name_key: `insert into factor (account_id, friendly_name, secret) values (${ada}, 'Phone', '')`,
  factor_drift_check: `insert into factor (account_id, friendly_name, secret, drift) values (${ada}, 'Tablet', '', 3)`,
  factor_friendly_name_check: `insert into factor (account_id, friendly_name, secret) values (${ada}, '', '')`,
  identity_subject_check: `insert into identity values ('issuer', '', ${ada})`,
  invitation_check: `insert into invitation (organization_id, role_id, email, token_hash, expires_at) values (${engines}, 'member', 'b@example.com', '\\x01', now())`,
  invitation_email_check: `insert into invitation (organization_id, role_id, email, expires_at) values (${engines}, 'member', 'a@', now())`,
  invitation_once: `insert into invitation (organization_id, role_id, email, expires_at) values (${engines}, 'owner', 'ada@example.com', now())`,
  invitation_token_hash_key: `insert into invitation (organization_id, role_id, token_hash, expires_at) values (${engines}, 'owner', '\\x00', now())`,
  issuer_key_set_keys_check: `insert into issuer_key_set values ('issuer', 'source', '{}', now())`,
  mail_outbox_check: `insert into mail_outbox (id, kind, expires_at) values (${ada}, 'test', now())`,
  mail_request_purpose_check: `insert into mail_request (purpose) values ('x')`,
  muster_migration_name: `insert into muster_migration (name, run_on) values ('001_accounts', now())`,
  organization_name_check: `insert into organization (name) values ('')`,
  passkey_account_id_friendly_name_key: `insert into passkey (account_id, friendly_name, credential_id, public_key, aaguid) values (${ada}, 'Laptop', '\\x01', '', ${engines})`,
  passkey_credential_id_check: `insert into passkey (account_id, friendly_name, credential_id, public_key, aaguid) values (${ada}, 'Key', '', '', ${engines})`,
  passkey_credential_id_key: `insert into passkey (account_id, friendly_name, credential_id, public_key, aaguid) values (${ada}, 'Key', '\\x00', '', ${engines})`,
  passkey_friendly_name_check: `insert into passkey (account_id, friendly_name, credential_id, public_key, aaguid) values (${ada}, '', '\\x01', '', ${engines})`,
  plan_default: `insert into plan (id, name, is_default) values ('second', 'Second', true)`,
  plan_grant_action_check: `insert into plan_grant values ('free', 'a', 'B')`,
  plan_grant_resource_check: `insert into plan_grant values ('free', 'A', 'b')`,
  plan_grant_is_not_for_the_service: `insert into plan_grant values ('free', 'users', 'list')`,
  plan_id_check: `insert into plan (id, name) values ('Gold', 'Gold')`,
  plan_name_check: `insert into plan (id, name) values ('gold', '')`,
  role_grant_action_check: `insert into role_grant values ('user', 'a', 'B')`,
  role_grant_resource_check: `insert into role_grant values ('user', 'A', 'b')`,
  role_id_check: `insert into role (id, name) values ('Clerk', 'Clerk')`,
  role_name_check: `insert into role (id, name) values ('clerk', '')`,
  rules_version_is_only_check: `insert into rules_version (is_only) values (false)`,
  schema_compatibility_check: `insert into schema_compatibility values (1, 2)`,
  webhook_delivery_event: `insert into webhook_delivery (endpoint_id, event_id) values (${ada}, ${ada})`,
  webhook_delivery_state_check: `update webhook_delivery set state = 'lost'`,
  webhook_endpoint_description_check: `update webhook_endpoint set description = ''`,
  webhook_endpoint_disabled_check: `update webhook_endpoint set disabled_at = now()`,
  webhook_endpoint_disabled_why_check: `update webhook_endpoint set disabled_at = now(), disabled_why = 'x'`,
  webhook_endpoint_events_check: `update webhook_endpoint set events = '{}'`,
  webhook_endpoint_previous_check: `update webhook_endpoint set previous_until = now()`,
  webhook_endpoint_url_check: `update webhook_endpoint set url = ''`,
  service_key_check: `insert into service_key (name, hash, hint, expires_at) values ('Two', '\\x01', 'msk_', now() + interval '367 days')`,
  service_key_grant_check: `insert into service_key_grant select id, 'users', 'disable' from service_key`,
  service_key_hash_key: `insert into service_key (name, hash, hint, expires_at) values ('Two', '\\x00', 'msk_', now())`,
  service_key_hint_check: `insert into service_key (name, hash, hint, expires_at) values ('Two', '\\x01', '', now())`,
  service_key_name: `insert into service_key (name, hash, hint, expires_at) values ('One', '\\x01', 'msk_', now())`,
  service_key_name_check: `insert into service_key (name, hash, hint, expires_at) values ('', '\\x01', 'msk_', now())`,
  session_address_check: `insert into session (account_id, amr, expires_at, address) values (${ada}, '{}', now(), '')`,
  session_network_check: `insert into session (account_id, amr, expires_at, network) values (${ada}, '{}', now(), '')`,
  session_user_agent_check: `insert into session (account_id, amr, expires_at, user_agent) values (${ada}, '{}', now(), '')`,
  sign_in_bucket_capacity_check: `insert into sign_in_bucket (scope, key, full_at, failures, capacity, step) values ('account', '\\x00', now(), 0, 0, '1 s')`,
  sign_up_invitation_display_name_check: `insert into sign_up_invitation (hash, email, role_id, expires_at, display_name) values ('\\x01', 'b@example.com', 'user', now(), '')`,
  sign_in_bucket_scope_check: `insert into sign_in_bucket (scope, key, full_at, failures, capacity, step) values ('email', '\\x00', now(), 0, 1, '1 s')`,
}

test('every check and unique constraint rejects a row that no other constraint rejects', async () => {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  expect(await rulesOf(fresh)).toEqual(Object.keys(refused).sort())
  await fresh.sql(scene)
  for (const [constraint, statement] of Object.entries(refused))
    await expect(fresh.sql(statement), statement).rejects.toMatchObject({ constraint })
})

/** Names of the checks, and of unique indexes that are neither a primary key nor referenced by a foreign key. */
async function rulesOf(fresh: FreshDatabase): Promise<readonly string[]> {
  const rows = await fresh.sql<{ name: string }>(`
select conname as name from pg_constraint where connamespace = current_schema()::regnamespace and contype in ('c', 'x')
union
select relname from pg_index join pg_class on oid = indexrelid
where relnamespace = current_schema()::regnamespace and indisunique and not indisprimary
  and not exists (select from pg_constraint where contype = 'f' and conindid = indexrelid)
order by name`)
  return rows.map(({ name }) => name).sort()
}
