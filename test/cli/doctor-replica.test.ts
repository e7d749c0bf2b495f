import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { runChecks } from '../../cli/doctor/run-checks.ts'
import { replicatedDatabase } from '../support/replicated.ts'

test('doctor says of each replica whether it is a standby of this cluster, how late it is, and what would end its lists', async () => {
  const { primary, standby, fresh, clusters, pauseReplay } = await replicatedDatabase()
  async function found(replicaUrl: string): Promise<readonly string[]> {
    const env = {
      DATABASE_URL: fresh.url,
      MUSTER_REPLICA_URL: replicaUrl,
      MUSTER_REPLICA_LAG_SECONDS: '2',
      MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    }
    const lines: string[] = []
    for await (const { level, about, message } of runChecks(env, { names: ['database'] }))
      if (about === 'replica') lines.push(`${level}: ${message}`)
    return lines
  }
  const [main, replica] = [`127.0.0.1:${primary.port}`, `127.0.0.1:${standby.port}`]
  expect(await found(standby.url)).toEqual([
    expect.stringMatching(/^ok: \S+ is a standby of this cluster, PostgreSQL \S+, \d\.\d s behind at most\.$/),
    `warn: ${replica} ends lists that take longer than 30 s while it replays (max_standby_streaming_delay): set hot_standby_feedback = on there.`,
  ])
  await standby.sql('alter system set hot_standby_feedback = on')
  await standby.sql('select pg_reload_conf()')
  const both = standby.url.replace(/@.*\//, `@${main},${replica}/`)
  expect(await found(both)).toEqual([
    `ok: ${main} is no standby, and is not read while it is none.`,
    expect.stringContaining(`ok: ${replica} is a standby`),
  ])

  await pauseReplay(true)
  await fresh.sql(`insert into account (email) values ('new@muster.test')`)
  expect(await found(standby.url)).toEqual([expect.stringContaining('has not replayed within 2 s')])
  await standby.stop()
  const other = await clusters.make('other')
  await other.start()
  await other.sql('create table t ()')
  await other.stop()
  const ofOther = await clusters.copy('other', 'of-other', 'standby')
  await ofOther.start()
  expect(await found(standby.url)).toEqual([
    `warn: ${replica} cannot be reached (ECONNREFUSED): the primary is read in its place.`,
  ])
  expect(await found(primary.url)).toEqual([`warn: ${main} is no standby: name standbys of DATABASE_URL.`])
  expect(await found(ofOther.url)).toEqual([expect.stringContaining('is a standby of another cluster')])
})
