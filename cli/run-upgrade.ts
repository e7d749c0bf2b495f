import { resolve } from 'node:path'
import { findBinaries } from '../src/platform/database/binaries.ts'
import { migrationsFolder } from '../src/platform/database/schema.ts'
import { type UpgradeStep, upgradeEmbedded } from '../src/platform/database/upgrade.ts'
import { packageVersion } from '../src/platform/package-root.ts'
import { embeddedDataDir } from './embedded-data-dir.ts'
import { note } from './print.ts'
import { withRowProgress } from './row-progress.ts'
import { openLog } from './with-database.ts'

/** The work of `muster upgrade`. */
export async function runUpgrade({ programs }: { readonly programs?: string }): Promise<void> {
  const dataDir = embeddedDataDir()
  await upgradeEmbedded({
    dataDir,
    ...(programs !== undefined && { programs: resolve(programs) }),
    folder: migrationsFolder(),
    release: packageVersion(),
    log: openLog(),
    runStep: (step, work) => withRowProgress(steps[step].title, work, () => steps[step].done),
  })
  note(
    `The database in ${dataDir} is of PostgreSQL ${findBinaries().major} now. Start the service; when all is well, remove the old one.`,
  )
}

const steps: Readonly<Record<UpgradeStep, { readonly title: string; readonly done: string }>> = {
  dump: { title: 'Dumping', done: 'All rows are dumped.' },
  verify: { title: 'Verifying', done: 'The dump is complete.' },
  load: { title: 'Loading', done: 'All rows are loaded.' },
}
