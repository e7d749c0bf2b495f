import { request } from 'undici'
import { expect, test, vi } from 'vitest'
import { type ReplicatedDatabase, replicatedDatabase } from '../support/replicated.ts'
import { type Answer, type Person, type Service, serviceForTest } from '../support/service.ts'

const whole = '/api/v1/admin/users/fetch'
/** Every list that may be read on a replica. */
const lists = [
  whole,
  `${whole}?limit=2`,
  `${whole}?limit=1&count=exact`,
  '/api/v1/admin/users',
  '/api/v1/admin/organizations',
  '/api/v1/admin/audit?limit=1',
]

const lagSeconds = 1

interface Scene extends ReplicatedDatabase {
  readonly service: Service
  readonly admin: Person
  readonly other: Person
  /** Where the list is read now. */
  source(path?: string, reader?: Person): Promise<string>
  /** The changes of these people so far are no longer new. */
  forgetChanges(): Promise<void>
}

async function onReplica(): Promise<Scene> {
  const database = await replicatedDatabase()
  const service = await serviceForTest({
    on: database.fresh,
    env: { ...envOf(database, database.standby.url, lagSeconds), MUSTER_METRICS_TOKEN: metricsToken },
  })
  const admin = await service.person({ role: 'admin', email: 'root@muster.test' })
  const other = await service.person({ role: 'admin', email: 'second@muster.test' })
  await service.sql(`insert into organization (name) values ('Analytical Engines')`)
  const scene: Scene = {
    ...database,
    service,
    admin,
    other,
    async source(path = whole, { token } = admin) {
      return sourceOf(await service.get(path, { token }))
    },
    async forgetChanges() {
      await service.sql(`update audit_event set at = at - interval '1 hour'`)
    },
  }
  await scene.forgetChanges()
  return scene
}

const metricsToken = 'a-token-of-the-monitoring'

function envOf({ fresh }: Pick<ReplicatedDatabase, 'fresh'>, replicaUrl: string, lagMaxSeconds: number) {
  return {
    DATABASE_URL: fresh.url,
    MUSTER_REPLICA_URL: replicaUrl,
    MUSTER_REPLICA_LAG_SECONDS: String(lagMaxSeconds),
    // The answers would say since when events are kept, which changes meanwhile.
    MUSTER_KEEP_AUDIT_DAYS: '0',
  }
}

function sourceOf({ status, headers }: Answer): string {
  expect(status).toBe(200)
  return String(headers['muster-read']).replace(/lag=[\d.]+/, 'lag')
}

function nextOf({ headers }: Answer): string {
  return /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1] ?? ''
}

function emailsOf({ body }: Answer): readonly (string | undefined)[] {
  return (body as { users: readonly { email?: string }[] }).users.map(({ email }) => email)
}

const used = 'replica;lag'

/** The whole list of which nothing was read yet. It is asked for again while the replica is behind, as on a busy machine. */
async function openedOnReplica({ url }: Service, { token }: Person) {
  const headers = { authorization: `Bearer ${token}` }
  return vi.waitFor(
    async () => {
      const answer = await request(`${url}${whole}`, { headers })
      if (String(answer.headers['muster-read']).startsWith('replica;')) return answer
      await answer.body.dump()
      throw new Error('read on the primary')
    },
    { timeout: 30_000, interval: 100 },
  )
}

test('every list that may be a moment old comes from the replica, byte for byte as the primary has it, and nothing else does', async () => {
  const { service, admin, primary, standby, source, caughtUp, fresh } = await onReplica()
  // It looks every twelve seconds while a replica is read: a read is the first to find out.
  const unaware = await serviceForTest({ on: fresh, env: envOf({ fresh }, standby.url, 60) })
  await expect.poll(() => source()).toBe(used)
  await caughtUp()
  const readUnaware = async () => sourceOf(await unaware.get(whole, { token: admin.token }))
  await expect.poll(readUnaware, { timeout: 30_000 }).toBe(used)
  const readAll = () => Promise.all(lists.map((path) => service.get(path, { token: admin.token })))
  const fromReplica = await readAll()
  expect(fromReplica.map(sourceOf)).toEqual(lists.map(() => used))
  for (const { headers } of fromReplica)
    expect(Number(/lag=([\d.]+)/.exec(String(headers['muster-read']))?.[1])).toBeLessThanOrEqual(lagSeconds)

  for (const path of ['/api/v1/user/data', `/api/v1/admin/users/${admin.id}`, '/api/v1/admin/roles', '/api/v1/orgs'])
    expect((await service.get(path, { token: admin.token })).headers).not.toHaveProperty('muster-read')
  const metrics = (await service.get('/metrics', { token: metricsToken })).text
  expect(metrics).toContain(`muster_replica_state{replica="127.0.0.1:${standby.port}",state="up"} 1`)
  expect(metrics).toMatch(/muster_replica_lag_seconds\{replica="[^"]+"\} 0\.\d/)
  expect(metrics).toMatch(/muster_list_reads_total\{source="replica",reason="none"\} [1-9]/)
  expect(metrics).not.toContain(new URL(primary.url).password)

  await standby.stop()
  expect(await readUnaware()).toBe('primary')
  const fromPrimary = await readAll()
  expect(fromPrimary.map(sourceOf)).toEqual(lists.map(() => 'primary'))
  expect(fromPrimary.map(({ text }) => text)).toEqual(fromReplica.map(({ text }) => text))
  expect(fromPrimary[2]?.headers['total-count']).toBe(fromReplica[2]?.headers['total-count'])
})

test('a replica that lags by more than allowed is not read until it has caught up', async () => {
  const { service, source, pauseReplay } = await onReplica()
  await expect.poll(() => source()).toBe(used)
  await pauseReplay(true)
  await service.sql(`insert into account (email) values ('new@muster.test')`)
  await expect.poll(() => source(), { timeout: 30_000 }).toBe('primary')
  const ready = () => service.get('/readyz').then(({ status, body }) => ({ status, body }))
  await expect.poll(ready).toEqual({ status: 200, body: { status: 'ok', replica: 'behind' } })
  const metrics = (await service.get('/metrics', { token: metricsToken })).text
  expect(metrics).toMatch(/muster_list_reads_total\{source="primary",reason="behind"\} [1-9]/)

  await pauseReplay(false)
  await expect.poll(() => source()).toBe(used)
  await expect.poll(ready).toEqual({ status: 200, body: { status: 'ok' } })
})

test('who has just changed something reads it at once, on every node, and others may read it within the lag', async () => {
  const { service, admin, other, source, pauseReplay, fresh, standby } = await onReplica()
  const env = envOf({ fresh }, standby.url, 60)
  const nodes = [await serviceForTest({ on: fresh, env }), await serviceForTest({ on: fresh, env })]
  const { id } = await service.person({ email: 'changed@muster.test' })
  const disabled = '/api/v1/admin/users/fetch?status=disabled'
  for (const node of nodes)
    await expect.poll(async () => sourceOf(await node.get(disabled, { token: other.token }))).toBe(used)
  await pauseReplay(true)
  const headers = { 'if-match': '*' }
  expect(await nodes[0]?.post(`/api/v1/admin/users/${id}/disable`, { token: admin.token, headers })).toMatchObject({
    status: 200,
  })
  for (const node of nodes) {
    const own = await node.get(disabled, { token: admin.token })
    expect([sourceOf(own), emailsOf(own)]).toEqual(['primary', ['changed@muster.test']])
    const old = await node.get(disabled, { token: other.token })
    expect([sourceOf(old), emailsOf(old)]).toEqual([used, []])
  }
  expect(await source(disabled)).toBe('primary')
})

test('a page that continues a list is never from before the page that it continues', async () => {
  const { service, admin, pauseReplay, fresh, standby } = await onReplica()
  const env = envOf({ fresh }, standby.url, 60)
  const node = await serviceForTest({ on: fresh, env })
  await service.sql(`insert into account (email) values ('a@a.test'), ('m@a.test'), ('y@a.test'), ('z@a.test')`)
  const read = (path: string) => node.get(path, { token: admin.token })
  const [fetched, listed] = [`${whole}?limit=2&sort=email`, '/api/v1/admin/users?limit=2&sort=email']
  await expect.poll(async () => emailsOf(await read(fetched)).includes('a@a.test')).toBe(true)
  await expect.poll(async () => sourceOf(await read(fetched))).toBe(used)

  // From one that the replica has to one that it has.
  expect(sourceOf(await read(nextOf(await read(fetched))))).toBe(used)
  expect(sourceOf(await read(nextOf(await read(listed))))).toBe(used)

  // The first page shows the new address; the replica, which has the old one, would show the user on no page.
  await pauseReplay(true)
  await service.sql(`update account set email = 'x@a.test' where email = 'a@a.test'`)
  await service.sql(
    `insert into audit_event (action, actor_id, actor_kind)
     select 'account.exported', $1, 'account' from generate_series(1, 3)`,
    [admin.id],
  )
  const audit = '/api/v1/admin/audit?limit=1'
  const first = await Promise.all([fetched, listed, audit].map(read))
  expect(first.map(sourceOf)).toEqual(['primary', 'primary', 'primary'])
  await service.sql(`update audit_event set at = at - interval '1 hour'`)
  expect(await read(fetched).then(sourceOf)).toBe(used)
  const second = await Promise.all(first.map((page) => read(nextOf(page))))
  expect(second.map(sourceOf)).toEqual(['primary', 'primary', 'primary'])

  await pauseReplay(false)
  await expect.poll(async () => sourceOf(await read(nextOf(first[0] as Answer)))).toBe(used)
})

test('a replica that was promoted, is of another database or of another history is not read', async () => {
  const scene = await onReplica()
  const { service, clusters, primary, standby, source, fresh, admin } = scene
  await expect.poll(() => source()).toBe(used)
  const ready = async (node: Service) => ((await node.get('/readyz')).body as { replica?: string }).replica

  // A copy of the same cluster, with the same system identifier and timeline, that has a standby of its own and is written to.
  await primary.stop()
  const copy = await clusters.copy('one', 'copy', 'primary')
  const ofCopy = await clusters.copy('one', 'of-copy', 'standby')
  await clusters.follow('of-copy', copy)
  await primary.start()
  await copy.start()
  await ofCopy.start()
  await copy.sql(`insert into account (email) select n || '@copy.test' from generate_series(1, 20000) n`)
  const nodeWith = (url: string) => serviceForTest({ on: fresh, env: envOf({ fresh }, url, 1) })
  const ofOther = await nodeWith(ofCopy.url)
  await expect.poll(() => ready(ofOther), { timeout: 30_000 }).toBe('other_database')
  expect(sourceOf(await ofOther.get(whole, { token: admin.token }))).toBe('primary')
  const elsewhere = await nodeWith(standby.url.replace(/postgres$/, 'template1'))
  await expect.poll(() => ready(elsewhere), { timeout: 30_000 }).toBe('other_database')

  await expect.poll(() => source(), { timeout: 30_000 }).toBe(used)
  await standby.promote()
  await expect.poll(() => ready(service)).toBe('promoted')
  expect(await source()).toBe('primary')
  const itself = await nodeWith(primary.url)
  await expect.poll(() => ready(itself)).toBe('promoted')
})

test('a list whose replica is lost in the middle is broken off, never short; the next one comes from the primary', async () => {
  const { service, admin, standby, source, caughtUp } = await onReplica()
  await service.sql(`insert into organization (name) select repeat('x', 195) || n from generate_series(1, 12) n`)
  await service.sql(`insert into account (email) select 'heavy' || n || '@example.com' from generate_series(1, 6000) n`)
  await service.sql(`insert into membership (account_id, organization_id)
    select a.id, o.id from account a, organization o where a.email like 'heavy%'`)
  await caughtUp()
  await expect.poll(() => source('/api/v1/admin/users')).toBe(used)

  for (const lose of [
    () => standby.sql(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'fetch%'`),
    () => standby.stopAtOnce(),
  ]) {
    const answer = await openedOnReplica(service, admin)
    const reading = answer.body[Symbol.asyncIterator]()
    await reading.next()
    await lose()
    const readOn = async () => {
      for (let piece = await reading.next(); !piece.done; ) piece = await reading.next()
    }
    await expect(readOn()).rejects.toThrow()
  }
  const again = await service.get(whole, { token: admin.token })
  expect([sourceOf(again), emailsOf(again).length]).toEqual(['primary', 6_002])
  await expect.poll(async () => (await service.get('/readyz')).body).toEqual({ status: 'ok', replica: 'unreachable' })

  await standby.start()
  await expect.poll(() => source(), { timeout: 30_000 }).toBe(used)
})

test('a list that the replica ends because it replays the removal of its rows is broken off, never short', async () => {
  const { service, admin, standby, primary, source, caughtUp } = await onReplica()
  // A vacuum of its own would end lists before they begin.
  await primary.sql(`alter system set autovacuum = off`)
  await primary.sql(`select pg_reload_conf()`)
  await standby.sql(`alter system set max_standby_streaming_delay = 0`)
  await standby.sql(`select pg_reload_conf()`)
  await service.sql(
    `insert into account (email) select 'heavy' || n || repeat('x', 40) || '@example.com' from generate_series(1, 60000) n`,
  )
  await caughtUp()
  await expect.poll(() => source('/api/v1/admin/users')).toBe(used)
  const answer = await openedOnReplica(service, admin)
  const reading = answer.body[Symbol.asyncIterator]()
  await reading.next()
  // Removes versions of rows that the snapshot of the list still needs.
  await primary.sql(`delete from account where email like 'heavy%'`)
  await primary.sql('vacuum account')
  const readOn = async () => {
    for (let piece = await reading.next(); !piece.done; ) piece = await reading.next()
  }
  await expect(readOn()).rejects.toThrow()
})

test('without a replica no answer says where it was read, and a start needs none that answers', async () => {
  const { fresh, standby, admin } = await onReplica()
  await standby.stop()
  const plain = await serviceForTest({ on: fresh })
  for (const path of lists) {
    const { headers } = await plain.get(path, { token: admin.token })
    expect(headers).not.toHaveProperty('muster-read')
  }
  const env = envOf({ fresh }, standby.url.replace('@', '@127.0.0.1:1,'), 1)
  const started = await serviceForTest({ on: fresh, env })
  expect(sourceOf(await started.get(whole, { token: admin.token }))).toBe('primary')
  expect((await started.get('/readyz')).status).toBe(200)
})
