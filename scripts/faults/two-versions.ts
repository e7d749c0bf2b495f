import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationNames, migrationsFolder, numberOf } from '../../src/platform/database/schema.ts'
import { makeNewerRelease } from '../../test/support/newer-release.ts'
import { createCallers } from './callers.ts'
import { countsOf } from './client.ts'
import { isWhole, seenOf } from './database-outages.ts'
import { type Load, type LoadResult, startLoad } from './load.ts'
import type { Section } from './stage.ts'
import { until } from './wait.ts'

const answersMin = 1_000

/** The next release is this one with one more migration, which declares this release as compatible. */
export const twoVersions: Section = {
  name: 'two-versions',
  secondsMax: 120,
  async run(stage) {
    const databaseUrl = await (await stage.postgres()).newDatabase()
    const older = await stage.node({ databaseUrl })
    const callers = await createCallers(databaseUrl, 10)
    const onOlder = startLoad({ url: older.url, callers })
    await onOlder.recovered(20)

    const worksWith = numberOf((await migrationNames(migrationsFolder())).at(-1))
    const folder = join(stage.folder, 'newer')
    await mkdir(folder)
    const migration = `alter table account add column nickname text not null default '';
insert into schema_compatibility values (900, ${worksWith});`
    const newer = await stage.node({ databaseUrl, program: makeNewerRelease(folder, migration) })
    const onNewer = startLoad({ url: newer.url, callers })
    const migratedAt = performance.now()
    for (const load of [onOlder, onNewer])
      await until('both serve', 60, () => load.since(migratedAt).length >= answersMin)
    const seen = [await endOf(onOlder, databaseUrl), await endOf(onNewer, databaseUrl)]

    await older.stop()
    const again = await stage.node({ databaseUrl })
    const onAgain = startLoad({ url: again.url, callers })
    await onAgain.recovered(20)
    seen.push(await endOf(onAgain, databaseUrl))
    return [
      {
        done: 'a node of the next release migrates the database while one of this release serves, and this one is restarted beside it',
        promised: 'no failed request on either, before, during and after the migration',
        seen: seen.map(({ text }) => text).join('; '),
        isKept: seen.every(({ isKept }) => isKept),
      },
    ]
  },
}

async function endOf(load: Load, databaseUrl: string): Promise<{ readonly text: string; readonly isKept: boolean }> {
  const result: LoadResult = await load.stop(databaseUrl)
  const outcomes = load.since(0).map(({ outcome }) => outcome)
  const failed = outcomes.filter((outcome) => !/^20[01]$/.test(outcome))
  return { text: `${countsOf(outcomes)}, ${seenOf(result)}`, isKept: isWhole(result) && failed.length === 0 }
}
