import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditActions } from '../../../src/platform/audit/actions.ts'
import { recordAudit } from '../../../src/platform/audit/audit.ts'
import { type AuditFilter, type RecordedEvent, readAuditLog } from '../../../src/platform/audit/audit-log.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase({ ownEvents: true })
})
afterAll(() => fresh.drop())

const actor = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'

async function trail(query: AuditFilter = {}): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = []
  for await (const event of readAuditLog(fresh.database, query)) events.push(event)
  return events
}

test('an event is read back completely, without missing members', async () => {
  await recordAudit(fresh.database, {
    action: 'account.role_changed',
    actorId: actor,
    target: { kind: 'account', id: 'a1' },
    address: '192.0.2.1',
    requestId: 'r1',
    details: { from: 'user', to: 'admin' },
  })
  await recordAudit(fresh.database, { action: 'role.created' })
  const [bare, whole] = await trail()
  expect(bare).toEqual({ id: bare?.id, at: bare?.at, action: 'role.created', details: {} })
  expect(whole).toEqual({
    id: whole?.id,
    at: whole?.at,
    action: 'account.role_changed',
    actorKind: 'account',
    actorId: actor,
    target: { kind: 'account', id: 'a1' },
    address: '192.0.2.1',
    requestId: 'r1',
    details: { from: 'user', to: 'admin' },
  })
  expect(whole?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
})

test('an event is rolled back with its change', async () => {
  const change = fresh.database.transaction(async (rows) => {
    await recordAudit(rows, { action: 'account.disabled', target: { kind: 'account', id: 'undone' } })
    throw new Error('the change failed')
  })
  await expect(change).rejects.toThrow('the change failed')
  expect(await trail({ action: 'account.disabled' })).toEqual([])
})

test('returns every event once, newest first, across pages and within one microsecond', async () => {
  await fresh.database.query(
    {
      name: '',
      text: `insert into audit_event (at, action, actor_id, target_kind, target_id)
             select '2020-01-01Z'::timestamptz + make_interval(secs => (n / 300) * 0.000001), 'factor.added', $1, 'factor', n::text
             from generate_series(1, 1000) n`,
    },
    [actor],
  )
  const events = await trail({ action: 'factor.added', actorIds: [actor] })
  expect(new Set(events.map(({ target }) => target?.id)).size).toBe(1_000)
  expect(events).toHaveLength(1_000)
  expect(events.map(({ at }) => at)).toEqual(
    events
      .map(({ at }) => at)
      .sort()
      .reverse(),
  )
})

test('filters by time, action, group of actions and actor', async () => {
  await recordAudit(fresh.database, { action: 'session.opened', actorId: actor })
  await recordAudit(fresh.database, { action: 'session.ended' })
  expect((await trail({ action: 'session' })).map(({ action }) => action)).toEqual(['session.ended', 'session.opened'])
  expect((await trail({ action: 'session.ended' })).map(({ action }) => action)).toEqual(['session.ended'])
  expect((await trail({ action: 'session', actorIds: [actor] })).map(({ action }) => action)).toEqual([
    'session.opened',
  ])
  expect(await trail({ action: 'session', since: new Date(Date.now() + 3_600_000).toISOString() })).toEqual([])
  expect(await trail({ action: 'session', since: new Date(Date.now() - 3_600_000).toISOString() })).toHaveLength(2)
})

test('docs/audit.md lists exactly the known actions with their meanings', () => {
  const page = readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| `([\w.]+)` +\| (.+?) +\|$/gm)].map(([, action, meaning]) => [
    action,
    meaning,
  ])
  expect(Object.fromEntries(documented)).toEqual(auditActions)
})

test('every action is recorded somewhere', () => {
  const source = ['src', 'cli']
    .flatMap((folder) =>
      readdirSync(new URL(`../../../${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && path !== 'audit/actions.ts')
        .map((path) => readFileSync(new URL(`../../../${folder}/${path}`, import.meta.url), 'utf8')),
    )
    .join('')
  expect(Object.keys(auditActions).filter((action) => !source.includes(`'${action}'`))).toEqual([])
})
