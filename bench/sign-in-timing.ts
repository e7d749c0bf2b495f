import { pbkdf2Sync, randomBytes, randomInt, scryptSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hash as argon2 } from '@node-rs/argon2'
import { hashSync as bcrypt } from 'bcryptjs'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import type { Database } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openDatabase } from '../src/platform/database/open.ts'
import { migrationsFolder } from '../src/platform/database/schema.ts'
import { createLog } from '../src/platform/log.ts'
import { Secret } from '../src/platform/secret.ts'
import { closeParts, openParts } from '../src/service/parts.ts'
import { insertPasswordAccount } from '../src/sign-in/passwords/password-accounts.ts'
import { hashPassword } from '../src/sign-in/passwords/passwords.ts'
import { describeBackgroundLoad, watchBackgroundLoad } from './harness/background-load.ts'
import { loadBefore } from './harness/report.ts'

/**
 * Whether the time of a rejected sign-in reveals who is registered: an unknown email against a wrong password and a
 * disabled user of each of six hash schemes in one database.
 * npm run bench -- sign-in-timing [--samples 200] [--repeats 2].
 * Sign-ins of each kind in random order, in this process; drops the first 20 and the slowest hundredth; Welch's t.
 * Fails if a pair has |t| ≥ 4.5 in every repeat. A proof takes 2,040 samples, about half an hour, on an otherwise idle
 * machine.
 */
const { values } = parseArgs({
  options: { samples: { type: 'string', default: '200' }, repeats: { type: 'string', default: '2' } },
})
const samples = Number(values.samples)
const repeats = Number(values.repeats)
const warmUp = 20
const tMax = 4.5

/** Attempts per email before the rate limit applies. */
const triesOfOne = 4
const password = 'the right password'
const salt = randomBytes(16)
const phc = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** A hash of the password in each scheme, at low costs: differences are easier to see, and a proof takes thousands of comparisons. */
const hashes: Readonly<Record<string, string>> = {
  argon2id: await hashPassword(new Secret(password)),
  argon2i: await argon2(password, { algorithm: 1, memoryCost: 16_384, timeCost: 3, parallelism: 1 }),
  '2b': bcrypt(password, 8),
  scrypt: `$scrypt$ln=13,r=8,p=1$${phc(salt)}$${phc(scryptSync(password, salt, 64, { N: 8_192, r: 8, p: 1, maxmem: 2 ** 26 }))}`,
  'pbkdf2-sha256': `$pbkdf2-sha256$i=60000$${phc(salt)}$${phc(pbkdf2Sync(password, salt, 60_000, 32, 'sha256'))}`,
  'pbkdf2-sha512': `$pbkdf2-sha512$i=40000$${phc(salt)}$${phc(pbkdf2Sync(password, salt, 40_000, 64, 'sha512'))}`,
}

interface Kind {
  readonly name: string
  /** Absent for an email without a user. */
  readonly stored?: string
  readonly isDisabled: boolean
}

const unknown: Kind = { name: 'unknown', isDisabled: false }
const known = Object.entries(hashes).flatMap(([scheme, stored]): Kind[] => [
  { name: `${scheme} wrong`, stored, isDisabled: false },
  { name: `${scheme} disabled`, stored, isDisabled: true },
])

const disableStatement = { name: 'disable', text: 'update account set disabled_at = now() where email = $1' }

const load = loadBefore()
const measureBackgroundLoad = watchBackgroundLoad()
const log = createLog('silent')
const dataDir = mkdtempSync(join(tmpdir(), 'muster-timing-'))
const database = await openDatabase({ dataDir, mode: 'own', log, preparedStatements: true })
await migrate(database, migrationsFolder(), log)
const config = readConfig({ MUSTER_SIGN_INS_PER_MINUTE: '1000000', MUSTER_DATA_DIR: dataDir })
const parts = await openParts(config, database, { log, isDraining: () => false })
const app = buildApp(parts)
await app.ready()

const compared: Record<string, ReturnType<typeof compare>[]> = {}
for (let repeat = 1; repeat <= repeats; repeat += 1) {
  const times = await measure(app, database)
  for (const { name } of known) {
    const result = compare(times.get(unknown.name) ?? [], times.get(name) ?? [])
    compared[name] = [...(compared[name] ?? []), result]
    console.log(
      `repeat ${repeat}: unknown – ${name}: t = ${result.t.toFixed(2)}, medians ${result.medians.join(' and ')} ms`,
    )
  }
}
const distinguishable = Object.entries(compared).filter(([, results]) => results.every(({ t }) => Math.abs(t) >= tMax))
for (const [name] of distinguishable) console.log(`${name}: distinguishable from unknown by time in every repeat`)
if (distinguishable.length === 0) console.log(`no kind is distinguishable from unknown: |t| < ${tMax}`)
process.exitCode = distinguishable.length === 0 ? 0 : 1
const backgroundLoad = measureBackgroundLoad()
console.log(describeBackgroundLoad(backgroundLoad))
console.log(`Load before: ${load.join(' ')}.`)

await app.close()
await closeParts(parts)
await database.close()
rmSync(dataDir, { recursive: true, force: true })

/** Milliseconds of each kind, in random order. */
async function measure(server: FastifyInstance, rows: Database): Promise<ReadonlyMap<string, readonly number[]>> {
  const total = samples + warmUp
  const kinds: { readonly kind: Kind; readonly emails: readonly string[]; readonly times: number[] }[] = []
  for (const kind of [unknown, ...known]) kinds.push({ kind, emails: await addresses(rows, kind, total), times: [] })
  for (let sample = 0; sample < total; sample += 1)
    for (const { kind, emails, times } of shuffled(kinds)) {
      const email = emails[Math.floor(sample / triesOfOne)] ?? ''
      const ms = await timeOf(server, email, kind.isDisabled ? password : 'a wrong password')
      if (sample >= warmUp) times.push(ms)
    }
  return new Map(kinds.map(({ kind, times }) => [kind.name, times]))
}

async function addresses(rows: Database, { stored, isDisabled }: Kind, total: number): Promise<readonly string[]> {
  const made: string[] = []
  for (let count = 0; count < Math.ceil(total / triesOfOne); count += 1) {
    const email = `${randomBytes(8).toString('hex')}@example.com`
    if (stored !== undefined) await insertPasswordAccount(rows, { email, passwordHash: stored, roleId: 'user' })
    if (isDisabled) await rows.query(disableStatement, [email])
    made.push(email)
  }
  return made
}

/** Each attempt has a separate network, so that no rate limit applies. */
async function timeOf(server: FastifyInstance, email: string, shown: string): Promise<number> {
  const remoteAddress = `2001:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}::1`
  const payload = { email, password: shown }
  const startedAt = performance.now()
  const answer = await server.inject({ method: 'POST', url: '/auth/sign-in', remoteAddress, payload })
  const ms = performance.now() - startedAt
  if (answer.statusCode !== 401) throw new Error(`a sign-in that should be rejected was answered ${answer.statusCode}`)
  return ms
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Welch's t of two samples without their slowest hundredth. */
function compare(a: readonly number[], b: readonly number[]): { t: number; medians: readonly number[]; n: number } {
  const [left, right] = [cropped(a), cropped(b)]
  const t = (mean(left) - mean(right)) / Math.sqrt(variance(left) / left.length + variance(right) / right.length)
  const medians = [left, right].map((sample) => Number((sample[Math.floor(sample.length / 2)] ?? 0).toFixed(2)))
  return { t, medians, n: Math.min(left.length, right.length) }
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
