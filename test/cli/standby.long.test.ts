import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replicatedDatabase } from '../support/replicated.ts'
import { runMuster } from './run-muster.ts'

const key = Buffer.alloc(32, 7).toString('base64')

/** Each with a text that it shows. */
const readers: readonly (readonly [args: readonly string[], shown: string])[] = [
  [['users', 'list'], 'ada@x.example'],
  [['audit'], 'account.created'],
  [['orgs', 'list'], 'Analytical Engines'],
  [['orgs', 'members', 'Analytical Engines'], 'ada@x.example'],
  [['grants', 'list'], 'admin'],
  [['plans', 'list'], 'free'],
  [['plans', 'unmapped'], ''],
  [['service-keys', 'list'], ''],
  [['webhooks', 'list'], ''],
  [['billing', 'waiting'], ''],
  [['directory', 'show'], ''],
  [['mail', 'status'], ''],
  [['passwords', 'report'], ''],
  [['doctor', '--only', 'database'], 'The database is read-only'],
]

test('reading commands work on a standby, and writing commands say that it is read-only', async () => {
  const { primary, standby, caughtUp } = await replicatedDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'muster-standby-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const on = ({ url }: { readonly url: string }, ...args: readonly string[]) =>
    runMuster(args, { env: { DATABASE_URL: url, MUSTER_ENCRYPTION_KEY: key } })

  for (const args of [
    ['users', 'create', '--email', 'ada@x.example', '--role', 'admin', '--generate-password'],
    ['orgs', 'create', 'Analytical Engines'],
    ['orgs', 'add-member', 'Analytical Engines', 'ada@x.example'],
  ])
    expect(await on(primary, ...args), args.join(' ')).toMatchObject({ code: 0 })
  await caughtUp()

  for (const [args, shown] of readers) {
    const { code, stdout, stderr } = await on(standby, ...args)
    expect({ args, code, stderr }).toMatchObject({ code: 0 })
    expect(stdout + stderr).toContain(shown)
  }
  const [users, backup] = [join(folder, 'users.csv'), join(folder, 'muster.backup')]
  for (const args of [
    ['export', users],
    ['backup', backup],
  ])
    expect(await on(standby, ...args), args.join(' ')).toMatchObject({ code: 0 })
  expect(readFileSync(users, 'utf8')).toContain('ada@x.example')

  const { code, stderr } = await on(standby, 'users', 'disable', 'ada@x.example')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/read-only/i)])
})
