import { expect, onTestFinished, test } from 'vitest'
import { deleteExpired } from '../../src/sign-in/sessions/delete-expired.ts'
import { newClient, startIssuer } from '../support/test-client.ts'

const tables = [
  'session',
  'refresh_token',
  'sign_in_challenge',
  'webauthn_challenge',
  'sign_in_bucket',
  'device',
  'sign_up_invitation',
  'signing_key',
  'factor',
  'mail_request',
  'account_link',
  'sign_up_link',
]

test('deletes expired rows in batches and keeps all others', async () => {
  const service = await startIssuer()
  onTestFinished(() => service.stop())
  const person = await service.person()
  await newClient(service).openSession(person)
  const everything = async () => {
    const entries = tables.map(async (table) => {
      const [row] = await service.sql<{ rows: unknown }>(`select jsonb_agg(t order by t::text) as rows from ${table} t`)
      return [table, row?.rows] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  }
  // Keeps active rate limits, and second factors that were disabled by too many wrong codes.
  await service.sql(`insert into sign_in_bucket (scope, key, full_at, failures, capacity, step, touched_at) values
    ('account', 'w', now() + interval '1 day', 9, 10, '1 hour', now() - interval '31 days'),
    ('account', 'c', now() - interval '1 day', 100, 5, '15 minutes', now() - interval '31 days')`)
  await service.sql(
    `insert into webauthn_challenge (hash, purpose, expires_at) values ('o', 'sign_in', now() + interval '1 minute')`,
  )
  await service.sql(
    `insert into sign_in_challenge (hash, account_id, expires_at) values ('o', $1, now() + interval '1 minute')`,
    [person.id],
  )
  await service.sql(
    `insert into sign_up_invitation (hash, email, role_id, expires_at) values ('o', 'o@b.c', 'user', now() + interval '1 minute')`,
  )
  await service.sql(
    `insert into account_link (hash, purpose, account_id, bound_to, expires_at)
     values ('o', 'email_undo', $1, 'o', now() + interval '1 minute')`,
    [person.id],
  )
  await service.sql(
    `insert into sign_up_link (hash, email, expires_at) values ('o', 'o@b.c', now() + interval '1 minute')`,
  )
  await service.sql(`insert into mail_request (created_at) values (now() - interval '23 hours')`)
  const before = await everything()
  await service.sql(
    `insert into session (account_id, amr, expires_at, ended_at)
     select $1, '{pwd}', now() + interval '1 day', now() - interval '8 days' from generate_series(1, 30)`,
    [person.id],
  )
  await service.sql(
    `insert into session (account_id, amr, expires_at) select $1, '{pwd}', now() - interval '8 days' from generate_series(1, 30)`,
    [person.id],
  )
  await service.sql(`insert into refresh_token (hash, session_id)
    select uuid_send(id), id from session where least(ended_at, expires_at) < now()`)
  await service.sql(`insert into sign_in_challenge (hash, account_id, expires_at) values ('x', $1, now())`, [person.id])
  await service.sql(`insert into webauthn_challenge (hash, purpose, expires_at) values ('x', 'sign_in', now())`)
  const bucket = 'insert into sign_in_bucket (scope, key, full_at, failures, capacity, step, touched_at)'
  await service.sql(`${bucket} values ('account', 'x', now() - interval '1 day', 200, 10, '1 hour', now() - interval '31 days'),
    ('calls', 'y', now() - interval '1 hour', 200, 60, '1 second', now() - interval '61 minutes')`)
  await service.sql(
    `insert into device (account_id, hash, last_used_at) values ($1, 'x', now() - interval '181 days')`,
    [person.id],
  )
  await service.sql(
    `insert into sign_up_invitation (hash, email, role_id, expires_at) values ('x', 'a@b.c', 'user', now())`,
  )
  await service.sql(
    `insert into account_link (hash, purpose, account_id, bound_to, expires_at) values ('x', 'email_undo', $1, 'x', now())`,
    [person.id],
  )
  await service.sql(`insert into sign_up_link (hash, email, expires_at) values ('x', 'a@b.c', now())`)
  await service.sql(`insert into mail_request (created_at) values (now() - interval '25 hours')`)
  await service.sql(`insert into signing_key values ('x', '{}', '', now(), now() - interval '2 days')`)
  await service.sql(
    `insert into factor (account_id, friendly_name, secret, created_at) values ($1, 'x', '', now() - interval '2 days')`,
    [person.id],
  )
  await deleteExpired({ database: service.database })
  expect(await everything()).toEqual(before)
})
