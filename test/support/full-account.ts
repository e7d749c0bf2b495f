import { randomBytes } from 'node:crypto'
import { subscribe } from './billing-rows.ts'
import type { Person, Service } from './service.ts'
import { newKey } from './service-keys.ts'
import { newClient } from './test-client.ts'

/** An account with a row in every table that has rows of accounts. */
export interface FullAccount extends Person {
  /** Its owner is alone in it. */
  readonly orgId: string
  readonly keyId: string
  readonly deviceId: string
  readonly factorId: string
  /** Of a session that another client opened. */
  readonly sessionId: string
  readonly refreshToken: string
}

/** `admin` makes what only an administrator can make. */
export async function fullAccount(service: Service, admin: Pick<Person, 'token'>): Promise<FullAccount> {
  const { id, email, password, token } = await service.person()
  const signedIn = await newClient(service).openSession({ email, password })
  const mark = randomBytes(6).toString('hex')
  const [made] = await service.sql<{ organization_id: string }>(
    `with made as (insert into organization (name) values ('Engines') returning id)
     insert into membership (organization_id, account_id, role_id) select id, $1, 'owner' from made returning organization_id`,
    [id],
  )
  const orgId = String(made?.organization_id)
  for (const text of statements) await service.sql(`with of as (${subject}) ${text}`, [id, email, orgId, mark])
  await subscribe(service, { customer: `cus_${mark}`, accountId: id, price: 'price', status: 'canceled' })
  await subscribe(service, { customer: `cus_org_${mark}`, orgId, price: 'price', status: 'canceled' })
  const { id: keyId } = await newKey(service, admin, { orgId })
  await service.sql('update service_key set created_by = $1 where id = $2', [id, keyId])
  const [ids] = await service.sql<Pick<FullAccount, 'deviceId' | 'factorId' | 'sessionId'>>(
    `select (select v.id from device v where v.account_id = $1) as "deviceId",
            (select f.id from factor f where f.account_id = $1) as "factorId",
            (select s.id from session s where s.account_id = $1 and s.device_id is not null) as "sessionId"`,
    [id],
  )
  if (!ids) throw new Error('the rows of an account were not made')
  return { id, email, password, token, orgId, keyId, ...ids, refreshToken: signedIn.refresh }
}

const subject = 'select $1::uuid as id, $2::text as email, $3::uuid as org, $4::text as mark'

/** Of the account `of`. */
const statements = [
  `update account a set display_name = 'Name ' || mark from of where a.id = of.id`,
  // Its sessions have a second factor, so that they may do everything.
  `update session s set amr = '{pwd,otp,mfa}', proved_at = now() from of where s.account_id = of.id`,
  `insert into session (account_id, amr, expires_at, ended_at, address)
   select id, '{pwd}', now() + interval '1 hour', now() - interval '1 hour', '192.0.2.1' from of`,
  `insert into session (account_id, amr, expires_at) select id, '{pwd}', now() - interval '1 hour' from of`,
  `insert into identity (issuer, subject, account_id) select 'https://login.example.com', mark, id from of`,
  `insert into factor (account_id, friendly_name, secret, verified_at) select id, 'Phone', '', now() from of`,
  `insert into recovery_code (account_id, hash) select id, sha256(mark::bytea) from of`,
  `insert into passkey (account_id, credential_id, public_key, aaguid, friendly_name)
   select id, mark::bytea, '', gen_random_uuid(), 'Laptop' from of`,
  `insert into webauthn_challenge (hash, purpose, account_id, expires_at)
   select sha256(mark::bytea), 'register', id, now() + interval '1 hour' from of`,
  `insert into sign_in_challenge (hash, account_id, expires_at)
   select sha256(mark::bytea), id, now() + interval '1 hour' from of`,
  `insert into account_link (hash, purpose, account_id, bound_to, expires_at)
   select sha256(mark::bytea), 'recovery', id, '', now() + interval '1 hour' from of`,
  `insert into sign_up_invitation (hash, email, role_id, expires_at, display_name)
   select sha256(mark::bytea), email, 'user', now() + interval '1 hour', 'Name ' || mark from of`,
  `insert into sign_up_link (hash, email, expires_at)
   select sha256(mark::bytea), email, now() + interval '1 hour' from of`,
  `insert into mail_request (email, account_id) select email, id from of`,
  `insert into mail_request (purpose, email) select 'sign_up', email from of`,
  `insert into mail_outbox (id, kind, account_id, sealed, next_at, expires_at)
   select gen_random_uuid(), 'erased', id, '', now() + interval '1 day', now() + interval '2 days' from of`,
  `insert into invitation (organization_id, role_id, token_hash, created_by, expires_at)
   select org, 'member', sha256(mark::bytea), id, now() + interval '1 hour' from of`,
  // To the user, from an organization of someone else.
  `, other as (insert into organization (name) select 'Elsewhere' from of returning id)
   insert into invitation (organization_id, role_id, email, expires_at)
   select other.id, 'member', email, now() + interval '1 hour' from of, other`,
  `insert into customer (id, claim_kind, claim_value, claim_rank, claim_at)
   select 'cus_' || kind || mark, kind, value, 1, now()
   from of, lateral (values ('account', id::text), ('organization', org::text), ('any', mark)) claim (kind, value)`,
  `insert into removed_identity (removed_at, hash) select now(), sha256(mark::bytea) from of`,
  `insert into audit_event (action, actor_id, target_kind, target_id, address, details)
   select action, actor, kind, target, '192.0.2.1', details
   from of, lateral (values
     ('session.opened', id, 'session', mark, jsonb_build_object('email', email)),
     ('account.disabled', null, 'account', id::text, jsonb_build_object('email', email)),
     ('act_as.started', id, 'account', id::text, jsonb_build_object('reason', mark)),
     ('session.reused', null, 'session', mark, jsonb_build_object('accountId', id))
   ) event (action, actor, kind, target, details)`,
  `insert into webhook_endpoint (id, url, events, secret, created_by)
   select gen_random_uuid(), 'https://hooks.example.com/' || mark, '{none}', '', id from of`,
  // A trigger inserts its deliveries.
  `insert into webhook_event (type, subject, data) select 'none', id::text, '{}' from of`,
]
