import { Client, type QueryConfig } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../support/database.ts'
import { isReduced } from '../../support/reduced-profile.ts'

/** Each runs on a new connection, because some of them close it. */
async function codeOf(url: string, text: string, more: Pick<QueryConfig, 'name' | 'values'> = {}): Promise<unknown> {
  const client = new Client(url)
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return client.query({ text, ...more }).then(
    () => 'done',
    (error: unknown) => Object(error).code,
  )
}

const withReducedProfile = test.runIf(isReduced)

withReducedProfile.each([
  ['a migrated database', false],
  ['an empty one', true],
])('%s rejects LISTEN, NOTIFY, advisory locks and temporary objects', async (_, empty) => {
  const fresh = await freshDatabase({ empty })
  onTestFinished(() => fresh.drop())
  const refused = {
    'listen muster_changed': '0A000',
    "select 1; notify muster_changed, 'all'": '0A000',
    'unlisten *': '0A000',
    "select pg_notify('muster_changed', 'all')": '42501',
    'select pg_advisory_lock(1)': '42501',
    'select pg_try_advisory_lock(1)': '42501',
    'select pg_advisory_xact_lock(1, 2)': '42501',
    'select pg_try_advisory_xact_lock_shared(1)': '42501',
    'create temporary table note (text text)': '42501',
    'create function pg_temp.one() returns int language sql return 1': '42501',
  }
  const found: Record<string, unknown> = {}
  for (const text of Object.keys(refused)) found[text] = await codeOf(fresh.url, text)
  expect(found).toEqual(refused)
  // Also with the extended protocol, and without false positives.
  expect(await codeOf(fresh.url, 'listen muster_changed', { name: 'prepared' })).toBe('0A000')
  expect(await codeOf(fresh.url, 'select $1::text', { values: ['; listen muster_changed'] })).toBe('done')
  expect(await codeOf(fresh.url, "select 'listen'")).toBe('done')
})
