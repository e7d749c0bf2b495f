import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Client } from 'pg'
import { packageRoot } from '../../src/platform/package-root.ts'

const importIssuer = 'https://issuer.example'

/** One run of `muster import`, killed at `killAt`: a fraction of the file, from 0 to 1. */
export interface ImportRun {
  readonly isKilled: boolean
  readonly code: number | null
  readonly stderr: string
  readonly seconds: number
  /** Resident memory of the process in MiB, with the fraction of the file read so far. */
  readonly samples: readonly { readonly share: number; readonly rssMiB: number }[]
}

export async function runImport(path: string, databaseUrl: string, killAt?: number): Promise<ImportRun> {
  const startedAtMs = performance.now()
  const { size } = await stat(path)
  const args = ['import', path, '--from', 'muster', '--issuer', importIssuer]
  const child = spawn(process.execPath, [join(packageRoot(), 'dist/bundle/muster.cjs'), ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, MUSTER_BUILT_IN_ISSUER: 'false' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    stderr += piece
  })
  const ended = once(child, 'close')
  const samples: { share: number; rssMiB: number }[] = []
  while (child.exitCode === null && child.signalCode === null) {
    const sample = sampleOf(child, path, size)
    if (sample) samples.push(sample)
    if (killAt !== undefined && (sample?.share ?? 0) >= killAt) child.kill('SIGKILL')
    await Promise.race([ended, setTimeout(killAt === undefined ? 200 : 2)])
  }
  await ended
  return {
    isKilled: child.signalCode === 'SIGKILL',
    code: child.exitCode,
    stderr,
    seconds: (performance.now() - startedAtMs) / 1_000,
    samples,
  }
}

/** From the position in the file, from proc(5). Undefined if the file is not open, or the process has exited. */
function sampleOf({ pid }: ChildProcess, path: string, size: number) {
  try {
    const folder = `/proc/${pid}`
    const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`${folder}/status`, 'utf8'))
    const handle = readdirSync(`${folder}/fd`).find((fd) => readlinkSync(`${folder}/fd/${fd}`) === path)
    const position = /^pos:\s+(\d+)$/m.exec(readFileSync(`${folder}/fdinfo/${handle}`, 'utf8'))
    return { share: Number(position?.[1]) / size, rssMiB: Number(rss?.[1]) / 1_024 }
  } catch {
    return undefined
  }
}

/** The rejected lines of the last complete run, in order. */
export async function rejectedOf(path: string): Promise<readonly { line: number; reason: string }[]> {
  const text = await readFile(`${path}.rejected.jsonl`, 'utf8')
  const rejected: { line: number; reason: string }[] = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  return rejected.sort((one, other) => one.line - other.line)
}

/** The content of the database without ids and times of disabling, which always differ. */
export interface ImportedState {
  readonly accounts: number
  readonly identities: number
  readonly users: number
  /** The sum of the 48 bits that `writeImportFile` computes for each user. */
  readonly sum: bigint
  /** Over all rows, in the order of their hashes. */
  readonly hash: string
}

export async function importedState(client: Client): Promise<ImportedState> {
  const { rows } = await client.query<Record<keyof ImportedState, string>>(stateText, [importIssuer])
  const [{ accounts, identities, users, sum, hash } = { accounts: 0, identities: 0, users: 0, sum: 0, hash: '' }] = rows
  return {
    accounts: Number(accounts),
    identities: Number(identities),
    users: Number(users),
    sum: BigInt(sum),
    hash: String(hash),
  }
}

/** A user with a password also has an identity of the built-in issuer. */
const stateText = `
with person as (
  select concat_ws(E'\\x1f', i.subject, coalesce(a.email, ''), a.role_id, (extract(epoch from a.created_at) * 1000)::bigint,
                   a.is_disabled::text, coalesce(c.password, '')) as imported,
         concat_ws(E'\\x1f', i.issuer, c.email, n.issuer) as more
  from identity i
  join account a on a.id = i.account_id
  left join credential c on c.account_id = a.id
  left join identity n on n.account_id = a.id and n.issuer <> i.issuer and n.subject = a.id::text
  where i.issuer = $1
), hashed as (
  select ('x' || left(md5(imported), 12))::bit(48)::bigint as bits, md5(imported || more) as hash from person
)
select count(*) as users, coalesce(sum(bits), 0) as sum, md5(string_agg(hash, '' order by hash)) as hash,
       (select count(*) from account) as accounts, (select count(*) from identity) as identities
from hashed`
