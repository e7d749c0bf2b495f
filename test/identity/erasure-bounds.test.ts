import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseAccount } from '../../src/identity/erase-account.ts'
import { requestErasure } from '../../src/identity/erasure.ts'
import type { Outbox } from '../../src/platform/mail/outbox.ts'
import { holdRows, longLockWaits } from '../support/blocked.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase
let dataDir: Awaited<ReturnType<typeof makeDataDir>>

beforeAll(async () => {
  dataDir = await makeDataDir()
  fresh = await freshDatabase({ limits: longLockWaits })
  await fresh.sql(`insert into role (id, name, for_members) values ('auditor', 'Auditor', true)`)
  await fresh.sql(`insert into role_grant values ('auditor', 'organization', 'read'), ('auditor', 'reports', 'manage')`)
})
afterAll(async () => {
  await fresh.drop()
  await dataDir.remove()
})

async function account(): Promise<string> {
  const [row] = await fresh.sql<{ id: string }>(
    `insert into account (email, email_proved_at, email_proved_by)
     values (gen_random_uuid() || '@example.com', now(), 'operator') returning id`,
  )
  return String(row?.id)
}

async function organization(members: Readonly<Record<string, string>>): Promise<string> {
  const [row] = await fresh.sql<{ id: string }>(`insert into organization (name) values ('Engines') returning id`)
  for (const [id, role] of Object.entries(members)) await fresh.sql(join, [row?.id, id, role])
  return String(row?.id)
}
const join = 'insert into membership (organization_id, account_id, role_id) values ($1, $2, $3)'

const request = (accountId: string, afterDays = 14, outbox?: Outbox) =>
  fresh.database.transaction((rows) => requestErasure(rows, { accountId, afterDays, outbox }))

async function erase(id: string): Promise<boolean> {
  await request(id, 0)
  return eraseNow(id)
}

const eraseNow = (id: string) =>
  eraseAccount(fresh.database, { dataDir: dataDir.path, log: pino({ level: 'silent' }) }, id)

test('user_unknown — nobody is erased who is not there', async () => {
  await expect(request(randomUUID())).rejects.toMatchObject({ code: 'user_unknown' })
})

test('its owner is told of an erasure that can be withdrawn, and not of one that is made at once', async () => {
  const mails: { kind: string; to: string; accountId: string | undefined; values: object }[] = []
  const outbox: Outbox = {
    put: async (_rows, { kind, to, accountId, values }) => void mails.push({ kind, to, accountId, values }),
  }
  const [later, atOnce] = [await account(), await account()]
  const erasesAt = await request(later, 14, outbox)
  await request(atOnce, 0, outbox)
  expect(mails).toEqual([
    {
      kind: 'erasureScheduled',
      to: expect.stringContaining('@example.com'),
      accountId: later,
      values: { date: erasesAt.toISOString().slice(0, 10) },
    },
  ])
})

test('a session that had ended keeps the time of its end, and every other one ends', async () => {
  const id = await account()
  await fresh.sql(
    `insert into session (account_id, amr, expires_at, ended_at) values
     ($1, '{pwd}', now() + interval '1 day', '2026-01-01Z'), ($1, '{pwd}', now() + interval '1 day', null)`,
    [id],
  )
  await request(id)
  const ended = await fresh.sql(
    `select ended_at = '2026-01-01Z' as before, ended_at > now() - interval '1 minute' as now from session
     where account_id = $1 order by ended_at`,
    [id],
  )
  expect(ended).toEqual([
    { before: true, now: false },
    { before: false, now: true },
  ])
})

test('last_owner — another member who may read the organisation, or manage something else, manages it not', async () => {
  const [owner, auditor] = [await account(), await account()]
  await organization({ [owner]: 'owner', [auditor]: 'auditor' })
  await expect(request(owner)).rejects.toMatchObject({ code: 'last_owner' })
  await expect(request(auditor)).resolves.toBeInstanceOf(Date)
})

test('an event about something else that has the same name keeps its network address', async () => {
  const id = await account()
  await fresh.sql(
    `insert into audit_event (action, target_kind, target_id, address)
     select 'test.done', kind, $1, '192.0.2.1' from unnest(array['account', 'customer']) kind`,
    [id],
  )
  expect(await erase(id)).toBe(true)
  const kept = await fresh.sql(
    `select target_kind, address from audit_event where target_id = $1 and action = 'test.done' order by target_kind`,
    [id],
  )
  expect(kept).toEqual([
    { target_kind: 'account', address: null },
    { target_kind: 'customer', address: '192.0.2.1' },
  ])
})

test('a payer that waits for an organisation of that name waits on, one that waits for the account does not', async () => {
  const id = await account()
  await fresh.sql(
    `insert into customer (id, claim_kind, claim_value, claim_rank, claim_at)
     select kind || $1::text, kind, $1::text, 1, now() from unnest(array['account', 'any', 'organization']) kind`,
    [id],
  )
  expect(await erase(id)).toBe(true)
  const waiting = await fresh.sql(
    'select claim_kind, erased_at is null as waits from customer where id like $1 order by id',
    [`%${id}`],
  )
  expect(waiting).toEqual([
    { claim_kind: null, waits: false },
    { claim_kind: null, waits: false },
    { claim_kind: 'organization', waits: true },
  ])
})

test('an organisation whose second owner joins at the moment of the erasure stays theirs', async () => {
  const [leaving, joining] = [await account(), await account()]
  const orgId = await organization({ [leaving]: 'owner' })
  await request(leaving, 0)
  const held = await holdRows(fresh, [[join, [orgId, joining, 'owner']]])
  const erased = eraseNow(leaving)
  await held.commitOnce(erased)
  expect(await erased).toBe(true)
  const members = await fresh.sql('select account_id from membership where organization_id = $1', [orgId])
  expect(members).toEqual([{ account_id: joining }])
})
