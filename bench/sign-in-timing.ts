import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openParts } from '../src/parts.ts'
import type { Database } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openDatabase } from '../src/platform/database/open.ts'
import { migrationsFolder } from '../src/platform/database/schema.ts'
import { createLog } from '../src/platform/log.ts'
import { Secret } from '../src/platform/secret.ts'
import { insertPasswordAccount } from '../src/sign-in/passwords/password-accounts.ts'
import { hashPassword } from '../src/sign-in/passwords/passwords.ts'

/**
 * Whether the time of a refused sign-in tells an unknown address, a known one and a disabled one apart.
 * npm run bench -- sign-in-timing [--samples 2000] [--repeats 3]. Sign-ins of each kind in random order, in this process; the first
 * 200 are dropped and the slowest hundredth cropped; Welch's t. It fails where a pair has |t| ≥ 4.5 in every repeat.
 */
const { values } = parseArgs({
  options: { samples: { type: 'string', default: '2000' }, repeats: { type: 'string', default: '3' } },
})
const samples = Number(values.samples)
const repeats = Number(values.repeats)
const warmUp = 200
const tMax = 4.5

const kinds = ['unknown', 'known', 'disabled'] as const
type Kind = (typeof kinds)[number]
const pairs = [
  ['unknown', 'known'],
  ['unknown', 'disabled'],
  ['known', 'disabled'],
] as const

/** This many attempts with one address meet no wait. */
const triesOfOne = 4
const password = 'the right password'

const log = createLog('silent')
const dataDir = mkdtempSync(join(tmpdir(), 'muster-timing-'))
const database = await openDatabase({ dataDir, mode: 'own', log, preparedStatements: true })
await migrate(database, migrationsFolder(), log)
const config = readConfig({ MUSTER_SIGN_INS_PER_MINUTE: '1000000', MUSTER_DATA_DIR: dataDir })
const parts = await openParts(config, database, { log, isDraining: () => false })
const app = buildApp(parts)
await app.ready()
const passwordHash = await hashPassword(new Secret(password))

const verdicts: Record<string, number[]> = {}
for (let repeat = 1; repeat <= repeats; repeat += 1) {
  const times = await measure(app, database)
  for (const [a, b] of pairs) {
    const name = `${a} – ${b}`
    const result = compare(times[a], times[b])
    verdicts[name] = [...(verdicts[name] ?? []), Math.abs(result.t)]
    console.log(`repeat ${repeat}: ${name}: t = ${result.t.toFixed(2)}, medians ${result.medians}, n = ${result.n}`)
  }
}
const distinguishable = Object.entries(verdicts).filter(([, ts]) => ts.every((t) => t >= tMax))
for (const [name] of distinguishable) console.log(`${name}: distinguishable by time in every repeat`)
if (distinguishable.length === 0) console.log(`no pair is distinguishable: |t| < ${tMax}`)
process.exitCode = distinguishable.length === 0 ? 0 : 1

await app.close()
await parts.invalidation.stop()
await parts.validation.close()
await database.close()
rmSync(dataDir, { recursive: true, force: true })

/** Milliseconds of each kind, in random order. */
async function measure(server: FastifyInstance, rows: Database): Promise<Record<Kind, number[]>> {
  const total = samples + warmUp
  const emails = {
    unknown: await addresses(total, async () => undefined),
    known: await addresses(total, (email) => account(rows, email)),
    disabled: await addresses(total, async (email) => {
      await account(rows, email)
      const statement = { name: 'disable', text: 'update account set disabled_at = now() where email = $1' }
      await rows.query(statement, [email])
    }),
  }
  const times: Record<Kind, number[]> = { unknown: [], known: [], disabled: [] }
  for (let sample = 0; sample < total; sample += 1)
    for (const kind of shuffled(kinds)) {
      const email = emails[kind][Math.floor(sample / triesOfOne)] ?? ''
      const ms = await timeOf(server, email, kind === 'disabled' ? password : 'a wrong password')
      if (sample >= warmUp) times[kind].push(ms)
    }
  return times
}

async function addresses(total: number, make: (email: string) => Promise<unknown>): Promise<string[]> {
  const made: string[] = []
  for (let count = 0; count < Math.ceil(total / triesOfOne); count += 1) {
    const email = `${randomBytes(8).toString('hex')}@example.com`
    await make(email)
    made.push(email)
  }
  return made
}

function account(rows: Database, email: string): Promise<string | undefined> {
  return insertPasswordAccount(rows, { email, passwordHash, roleId: 'user' })
}

/** Each attempt has a network of its own, so that none waits. */
async function timeOf(server: FastifyInstance, email: string, shown: string): Promise<number> {
  const remoteAddress = `2001:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}::1`
  const payload = { email, password: shown }
  const startedAt = performance.now()
  const answer = await server.inject({ method: 'POST', url: '/auth/sign-in', remoteAddress, payload })
  const ms = performance.now() - startedAt
  if (answer.statusCode !== 401) throw new Error(`a sign-in that had to be refused was answered ${answer.statusCode}`)
  return ms
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Welch's t of two samples without their slowest hundredth. */
function compare(a: readonly number[], b: readonly number[]): { t: number; medians: string; n: number } {
  const [left, right] = [cropped(a), cropped(b)]
  const t = (mean(left) - mean(right)) / Math.sqrt(variance(left) / left.length + variance(right) / right.length)
  const medians = [left, right].map((sample) => `${(sample[Math.floor(sample.length / 2)] ?? 0).toFixed(2)} ms`)
  return { t, medians: medians.join(' and '), n: Math.min(left.length, right.length) }
}

function cropped(sample: readonly number[]): number[] {
  return [...sample].sort((a, b) => a - b).slice(0, Math.ceil(sample.length * 0.99))
}

function mean(sample: readonly number[]): number {
  return sample.reduce((sum, value) => sum + value, 0) / sample.length
}

function variance(sample: readonly number[]): number {
  const middle = mean(sample)
  return sample.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (sample.length - 1)
}
