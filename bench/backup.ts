import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../src/platform/package-root.ts'
import { getRequest, startLoad } from './harness/load.ts'
import { spawnNode } from './harness/processes.ts'
import { loadBefore, report } from './harness/report.ts'
import { encryptionKey, startBenchService } from './harness/service.ts'
import { spreadOf } from './harness/spread.ts'

/**
 * The p99 of user data while the embedded database's daily backup runs, compared with the same service after it.
 * npm run bench -- backup [--users 200000] [--connections 4] [--rounds 3]
 */
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '200000' },
    connections: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
})
const rounds = Number(values.rounds)
const dataDir = mkdtempSync(join(tmpdir(), 'muster-backup-'))
const backups = join(dataDir, 'backups')
const load = loadBefore()
const driver = startLoad({ connections: Number(values.connections) })
try {
  await muster('migrate')
  await muster('seed', '--users', values.users)
  const measured: P99[] = []
  while (measured.length < rounds) measured.push(await measure())
  const spread = (of: (one: P99) => number) => spreadOf(measured.map(of))
  const unit = ' ms'
  await report(
    [
      { what: 'p99 during the backup', is: spread(({ during }) => during), unit },
      { what: 'p99 after it', is: spread(({ after }) => after), unit },
      { what: 'during / after', is: spread(({ during, after }) => during / after), unit: ' ×', atMost: 1.3 },
    ],
    load,
  )
} finally {
  driver.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Milliseconds. */
interface P99 {
  readonly during: number
  readonly after: number
}

/** Slices of a second while the backup is being written, then as many after it: the median p99 of each. */
async function measure(): Promise<P99> {
  rmSync(backups, { recursive: true, force: true })
  const hour = String(new Date().getUTCHours())
  // PostgreSQL and the backup may use every core, as they do in production.
  const service = await startBenchService(
    undefined,
    { MUSTER_DATA_DIR: dataDir, MUSTER_BACKUP_HOUR: hour },
    { core: 'any' },
  )
  try {
    const requests = (await service.tokens(500)).map((token) =>
      getRequest('/api/v1/user/data', { authorization: `Bearer ${token}` }),
    )
    const slice = async () => (await driver.run(service, requests, { ms: 1_000 })).p99Ms
    const during: number[] = []
    // Until then the service warms up.
    while (!isRunning()) await slice()
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

async function muster(...args: readonly string[]): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', MUSTER_DATA_DIR: dataDir, MUSTER_ENCRYPTION_KEY: encryptionKey }
  const program = join(packageRoot(), 'dist/bundle/muster.cjs')
  const child = spawnNode('any', [program, ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`muster ${args[0]} ended with ${code}`)
}
