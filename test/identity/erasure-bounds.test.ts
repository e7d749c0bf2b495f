import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { completeErasuresFile, eraseAccount, eraseDue } from '../../src/identity/erase-account.ts'
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
  fresh.database.transaction((rows) => requestErasure(rows, { accountId, afterDays, acceptedIssuers: [], outbox }))

async function erase(id: string): Promise<boolean> {
  await request(id, 0)
  return eraseNow(id)
}

const settings = () => ({ afterDays: 14, dataDir: dataDir.path, log: pino({ level: 'silent' }) })
const eraseNow = (id: string) => eraseAccount(fresh.database, settings(), id)

test('user_unknown for an unknown user', async () => {
  await expect(request(randomUUID())).rejects.toMatchObject({ code: 'user_unknown' })
})

test('notifies the user of a deletion that can be undone, and not of an immediate one', async () => {
  const mails: { kind: string; to: string; accountId: string | undefined; values: object }[] = []
  const outbox: Outbox = {
    put: async (_rows, { kind, to, accountId, values }) => mails.push({ kind, to, accountId, values }) > 0,
  }
  const [later, disabled, atOnce] = [await account(), await account(), await account()]
  await fresh.sql(`update account set disabled_at = now() - interval '1 day' where id = $1`, [disabled])
  const erasesAt = await request(later, 14, outbox)
  await request(disabled, 14, outbox)
  await request(atOnce, 0, outbox)
  const mail = { to: expect.stringContaining('@example.com'), values: { date: erasesAt.toISOString().slice(0, 10) } }
  expect(mails).toEqual([
    { kind: 'erasureScheduled', accountId: later, ...mail },
    { kind: 'erasureOfDisabled', accountId: disabled, ...mail },
  ])
})

test('a later date changes nothing; an earlier date replaces the current one', async () => {
  const id = await account()
  const first = await request(id, 14)
  expect(await request(id, 30)).toEqual(first)
  expect(await eraseNow(id)).toBe(false)
  expect((await request(id, 0)).getTime()).toBeLessThan(first.getTime())
  expect(await eraseNow(id)).toBe(true)
})

test('deletes the accounts that are due, the oldest first', async () => {
  await eraseDue(fresh.database, settings()) // Remains of other tests.
  const [later, earlier] = [await account(), await account()]
  for (const id of [later, earlier]) await request(id)
  await fresh.sql(`update account set erases_at = now() - interval '1 day' where id = $1`, [later])
  await fresh.sql(`update account set erases_at = now() - interval '2 days' where id = $1`, [earlier])
  expect(await eraseDue(fresh.database, settings())).toBe(2)
  const erased = await fresh.sql('select account_id from erasure where account_id = any ($1) order by erased_at', [
    [later, earlier],
  ])
  expect(erased).toEqual([{ account_id: earlier }, { account_id: later }])
})

test('subscription_active names the subscriptions to cancel; those of a deleted customer do not block', async () => {
  const id = await account()
  await fresh.sql('insert into customer (id, account_id) values ($1, $2)', [`cus_${id}`, id])
  await fresh.sql(
    `insert into subscription (id, customer_id, price_ids, status, created_at, seen_at, seen_rank)
     select 'sub_' || n, $1, '{price}', status, now(), now(), 0
     from (values (2, 'active'), (1, 'past_due'), (3, 'canceled')) s (n, status)`,
    [`cus_${id}`],
  )
  await expect(request(id)).rejects.toMatchObject({
    code: 'subscription_active',
    message: 'Cancel these subscriptions first: sub_1, sub_2.',
  })
  await fresh.sql('update customer set deleted_at = now() where id = $1', [`cus_${id}`])
  await expect(request(id)).resolves.toBeInstanceOf(Date)
})

test('an ended session keeps the time of its end, and all others end', async () => {
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

test('last_owner: a member who can only read the organization, or manage something else, is not an owner', async () => {
  const [owner, auditor] = [await account(), await account()]
  await organization({ [owner]: 'owner', [auditor]: 'auditor' })
  await expect(request(owner)).rejects.toMatchObject({ code: 'last_owner' })
  await expect(request(auditor)).resolves.toBeInstanceOf(Date)
})

test('an event about another kind of target with the same id keeps its IP address', async () => {
  const id = await account()
  await fresh.sql(
    `insert into audit_event (action, target_kind, target_id, address, details)
     select action, kind, coalesce(target, $1::text), '192.0.2.1', jsonb_build_object('accountId', $1::text)
     from (values ('test.done', 'account', null), ('test.done', 'customer', null),
       ('session.ended', 'session', 's'), ('session.reused', 'session', 's')) e (action, kind, target)`,
    [id],
  )
  expect(await erase(id)).toBe(true)
  const events = await fresh.sql(
    `select action, target_kind as about, address from audit_event where details ->> 'accountId' = $1
     order by action, target_kind`,
    [id],
  )
  expect(events).toEqual([
    { action: 'session.ended', about: 'session', address: '192.0.2.1' },
    { action: 'session.reused', about: 'session', address: null },
    { action: 'test.done', about: 'account', address: null },
    { action: 'test.done', about: 'customer', address: '192.0.2.1' },
  ])
})

test('removes the reason for acting as the user, and keeps the rest of the event', async () => {
  const id = await account()
  await fresh.sql(
    `insert into audit_event (action, target_kind, target_id, details)
     select action, 'account', $1, '{"reason": "Ticket 4711", "seconds": 900}'
     from unnest(array['act_as.started', 'test.done']) action`,
    [id],
  )
  expect(await erase(id)).toBe(true)
  const events = await fresh.sql(
    `select action, details from audit_event where target_id = $1 and details ? 'seconds' order by action`,
    [id],
  )
  expect(events).toEqual([
    { action: 'act_as.started', details: { seconds: 900 } },
    { action: 'test.done', details: { reason: 'Ticket 4711', seconds: 900 } },
  ])
})

test('removes the claim for a deleted account, and keeps claims for organizations and customers with an owner', async () => {
  const id = await account()
  await fresh.sql(
    `insert into customer (id, claim_kind, claim_value, claim_rank, claim_at)
     select kind || $1::text, kind, $1::text, 1, now() from unnest(array['account', 'any', 'organization']) kind`,
    [id],
  )
  const owner = await account()
  await fresh.sql(
    `insert into customer (id, account_id, claim_kind, claim_value, claim_rank, claim_at)
     values ('cus_owned', $1, 'any', $2, 1, now())`,
    [owner, id],
  )
  expect(await erase(id)).toBe(true)
  expect(await fresh.sql(`select account_id from customer where id = 'cus_owned'`)).toEqual([{ account_id: owner }])
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

test('keeps an organization whose second owner joins during the deletion', async () => {
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

test('requests and deletions do not wait for locks on organizations of others', async () => {
  const [id, other] = [await account(), await account()]
  const orgId = await organization({ [other]: 'owner' })
  const held = await holdRows(fresh, [['select from organization where id = $1 for update', [orgId]]])
  expect(await erase(id)).toBe(true)
  await held.commitOnce(Promise.resolve())
})

test('one of several concurrent runs deletes, and writes one line to the file of deletions', async () => {
  const id = await account()
  await request(id)
  expect(await eraseNow(id)).toBe(false) // Not due yet.
  await fresh.sql('update account set erases_at = now() where id = $1', [id])
  const held = await holdRows(fresh, [['select from account where id = $1 for no key update', [id]]])
  const erasures = Promise.all([1, 2, 3, 4].map(() => eraseNow(id)))
  await held.commitOnce(erasures)
  expect((await erasures).filter(Boolean)).toHaveLength(1)
  expect(await linesAbout(id, dataDir.path)).toHaveLength(1)
})

test('a node appends the deletions of other nodes to its file, once', async () => {
  const elsewhere = await makeDataDir()
  onTestFinished(elsewhere.remove)
  const id = await account()
  await erase(id)
  for (let run = 0; run < 2; run += 1)
    await completeErasuresFile(fresh.database, { ...settings(), dataDir: elsewhere.path })
  expect(await linesAbout(id, elsewhere.path)).toHaveLength(1)
})

async function linesAbout(id: string, folder: string): Promise<readonly string[]> {
  const lines = (await readFile(joinPath(folder, 'erasures.ndjson'), 'utf8')).split('\n')
  return lines.filter((line) => line.includes(id))
}
