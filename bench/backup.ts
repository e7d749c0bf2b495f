import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { packageRoot } from '../src/platform/package-root.ts'
import { getRequest, startLoad } from './harness/load.ts'
import { spawnNode } from './harness/processes.ts'
import { loadBefore, report } from './harness/report.ts'
import { encryptionKey, startBenchService } from './harness/service.ts'
import { spreadOf } from './harness/spread.ts'

/**
 * The p99 of user data while the embedded database's daily backup runs, compared with the same service after it.
 * npm run bench -- backup [--users 100000] [--connections 4] [--rounds 3]
 */
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    connections: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
})
const [users, connections, rounds] = [values.users, values.connections, values.rounds].map(Number) as [
  number,
  number,
  number,
]
const dataDir = mkdtempSync(join(tmpdir(), 'muster-backup-'))
const backups = join(dataDir, 'backups')
const load = loadBefore()
const driver = startLoad({ connections })
try {
  await seed()
  const ratios: number[] = []
  const during: number[] = []
  const after: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const one = await measure()
    ratios.push(one.during / one.after)
    during.push(one.during)
    after.push(one.after)
  }
  const unit = ' ms'
  await report(
    [
      { what: 'p99 during the backup', is: spreadOf(during), unit },
      { what: 'p99 after it', is: spreadOf(after), unit },
      { what: 'during / after', is: spreadOf(ratios), unit: ' ×', atMost: 1.3 },
    ],
    load,
  )
} finally {
  driver.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Slices of a second while the backup is being written, then as many after it: the median p99 of each. */
async function measure(): Promise<{ readonly during: number; readonly after: number }> {
  rmSync(backups, { recursive: true, force: true })
  const hour = String(new Date().getUTCHours())
  // PostgreSQL and the backup may use every core, as they do in production.
  const service = await startBenchService(
    '',
    { MUSTER_DATA_DIR: dataDir, MUSTER_BACKUP_HOUR: hour },
    { core: 'any' },
  )
  try {
    const requests = (await service.tokens(500)).map((token) =>
      getRequest('/api/v1/user/data', { authorization: `Bearer ${token}` }),
    )
    const slice = async () => (await driver.run(service, requests, { ms: 1_000 })).p99Ms
    const during: number[] = []
    while (!isRunning()) await setTimeout(20)
    for (;;) {
      const p99 = await slice()
      if (!isRunning()) break
      during.push(p99)
    }
    await slice()
    const after: number[] = []
    while (after.length < during.length) after.push(await slice())
    process.stdout.write(`${during.length} slices: during ${during.join(' ')}; after ${after.join(' ')}\n`)
    return { during: spreadOf(during).median, after: spreadOf(after).median }
  } finally {
    await service.stop()
  }
}

function isRunning(): boolean {
  return existsSync(backups) && readdirSync(backups).some((name) => name.endsWith('.unfinished'))
}

async function seed(): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', MUSTER_DATA_DIR: dataDir, MUSTER_ENCRYPTION_KEY: encryptionKey }
  const program = join(packageRoot(), 'dist/bundle/muster.cjs')
  const child = spawnNode('any', [program, 'seed', '--users', String(users)], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`seed ended with ${code}`)
}
