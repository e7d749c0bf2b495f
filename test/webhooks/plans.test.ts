import { Registry } from '@prometheus-io/client'
import { expect, onTestFinished, test } from 'vitest'
import type { Database, Statement } from '../../src/platform/database/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { createDelivering } from '../../src/webhooks/deliver.ts'
import { deliveriesStatement } from '../../src/webhooks/deliveries.ts'
import { registerWebhooks } from '../../src/webhooks/metrics.ts'
import { reusedDatabase } from '../support/reused-database.ts'

const id = '0b2f6c1e-5d02-4b1e-9a40-3c5d1e0f7a11'

test('finds due deliveries, a page and the metrics by index among 60,000 deliveries, without a sequential scan', async () => {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  await fresh.sql(`
insert into webhook_endpoint (id, url, events, secret) values ('${id}', 'https://a.example.com/', '{none}', ''),
  (gen_random_uuid(), 'https://b.example.com/', '{none}', '');
insert into webhook_event (type, subject, data, at)
select 'user.created', n::text, '{}', now() - n * interval '1 s' from generate_series(1, 30000) n;
insert into webhook_delivery (endpoint_id, event_id, state, created_at, next_at)
select w.id, e.id, case when e.subject::int % 3 = 0 then 'pending' when e.subject::int % 3 = 1 then 'failed' else 'delivered' end,
       e.at, e.at + interval '1 hour'
from webhook_event e, webhook_endpoint w;
analyze webhook_event; analyze webhook_delivery; analyze webhook_endpoint`)
  const asked: { statement: Statement; values: readonly unknown[] }[] = []
  // Returns a result that lets the caller continue.
  const query = async (statement: Statement, values: readonly unknown[]) => {
    asked.push({ statement, values })
    return statement.name === 'webhooks_due' ? [{ id }] : []
  }
  // Only these two methods of the database are used here.
  const listening = { query, transaction: () => Promise.reject(new Error('unexpected')) } as unknown as Database
  const delivering = createDelivering({
    database: listening,
    issuers: { shown: (data) => data },
    sealing: { decrypt: () => Buffer.alloc(0) },
    sending: { send: () => Promise.reject(new Error('unexpected')) },
    now: Date.now,
    log: createLog('silent'),
  })
  await delivering.run()
  await delivering.settled()
  const registry = new Registry()
  registerWebhooks(registry, listening)
  await registry.metrics()
  for (const state of [undefined, 'failed'])
    for (const isBefore of [false, true]) {
      const after = isBefore ? (['-infinity', id] as const) : (['infinity', id] as const)
      asked.push(deliveriesStatement({ endpointId: id, state, after, limit: 50, isBefore }))
    }
  expect(new Set(asked.map(({ statement }) => statement.name.slice(0, 16))).size).toBe(4)
  for (const { statement, values } of asked) {
    const rows = await fresh.sql<{ 'QUERY PLAN': string }>(`explain ${statement.text}`, values)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/Seq Scan on webhook_(delivery|event)/)
  }
})
