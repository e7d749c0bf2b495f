import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { progressText } from '../../cli/progress.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { program, runMuster } from './run-muster.ts'

let fresh: FreshDatabase
let env: Readonly<Record<string, string>>
const usersCount = 6_000

/** Exports of about 15 MB: long enough to be met in the middle. */
beforeAll(async () => {
  fresh = await freshDatabase()
  env = { DATABASE_URL: fresh.url, MUSTER_BUILT_IN_ISSUER: 'false' }
  const client = await fresh.database.connect()
  await client.query(`insert into organization (name) select repeat('x', 195) || n from generate_series(1, 12) n`)
  await client.query(
    `insert into account (email) select 'p' || n || '@x.example' from generate_series(1, ${usersCount}) n`,
  )
  await client.query(
    `insert into membership (account_id, organization_id) select a.id, o.id from account a, organization o`,
  )
  await client.end()
  return () => fresh.drop()
})

/** An export over a file that is there, and a moment at which some of the new one is written. */
async function exportInTheMiddle() {
  const folder = await mkdtemp(join(tmpdir(), 'muster-export-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'users.json')
  await writeFile(path, 'the older one')
  const child = spawn(process.execPath, [program, 'export', path, '--yes'], { env: { PATH: process.env.PATH, ...env } })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    stderr += piece
  })
  const ended = once(child, 'close')
  const isBegun = () => (statSync(`${path}.unfinished`, { throwIfNoEntry: false })?.size ?? 0) > 0
  while (child.exitCode === null && !isBegun()) await setTimeout(1)
  return { child, path, folder, ended, said: () => stderr }
}

test('--bom starts a CSV file with one byte order mark, is not the default, and is rejected for other formats', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-export-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const write = async (name: string, ...options: readonly string[]) => {
    const done = await runMuster(['export', join(folder, name), '--email', 'p1@', ...options], { env })
    return { ...done, text: existsSync(join(folder, name)) ? await readFile(join(folder, name), 'utf8') : undefined }
  }
  const plain = await write('plain.csv')
  expect(plain.text).toMatch(/^id,email,/)
  const marked = await write('marked.CSV', '--bom')
  expect([marked.code, marked.text]).toEqual([0, `\u{FEFF}${plain.text}`])
  for (const name of ['users.json', 'users.ndjson']) {
    const { code, stderr, text } = await write(name, '--bom')
    expect([code, text]).toEqual([1, undefined])
    expect(stderr).toContain('--bom is for CSV: the name of the file must end with .csv.')
  }
})

test('a killed export leaves the old file, and the next export replaces it', async () => {
  const { child, path, ended } = await exportInTheMiddle()
  child.kill('SIGKILL')
  await ended
  expect(child.signalCode).toBe('SIGKILL')
  expect(await readFile(path, 'utf8')).toBe('the older one')
  expect(await runMuster(['export', path, '--yes'], { env })).toMatchObject({
    code: 0,
    stderr: `Exported ${usersCount} users to ${path}.\n`,
  })
  expect(JSON.parse(await readFile(path, 'utf8')).users).toHaveLength(usersCount)
  expect(existsSync(`${path}.unfinished`)).toBe(false)
})

test('an export that loses the database leaves the old file and no draft', async () => {
  const killer = new Client(fresh.adminUrl)
  await killer.connect()
  const { child, path, folder, ended, said } = await exportInTheMiddle()
  await killer.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await killer.end()
  await ended
  expect(child.exitCode).toBe(1)
  expect(said()).not.toMatch(/users are in|^ +at /m)
  expect(await readFile(path, 'utf8')).toBe('the older one')
  expect(await readdir(folder)).toEqual(['users.json'])
})

test('the progress text has count, rate and remaining time', () => {
  expect(progressText(120_000, 1_000_000, 'users', 4_000)).toBe('120,000 of 1,000,000 users, 30,000 users/s, 29 s left')
  expect(progressText(1, 1_000, 'users', 1_000)).toBe('1 of 1,000 users, 1 users/s, 16 min 39 s left')
  expect(progressText(0, 10, 'users', 0)).toBe('0 of 10 users, 0 users/s')
})
