import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../src/platform/secret.ts'
import { makeConfiguredAdmin, makeFirstAdmin } from '../../src/sign-in/first-admin.ts'
import { problemOf } from '../support/problem.ts'
import { serviceForTest } from '../support/service.ts'
import { tokensOf } from '../support/test-client.ts'

const email = 'admin@muster.local'

test('creates the first administrator only in an empty database, with a random password in a file that only its owner can read', async () => {
  const service = await serviceForTest()
  const { issuer } = service.parts
  if (!issuer) throw new Error('the built-in issuer is disabled')
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-first-admin-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const passwords: string[] = []
  for (let n = 0; n < 2; n += 1) {
    await service.sql('delete from account')
    const settings = { email, publicUrl: service.url, dataDir, servesConsole: n === 0 }
    const made = await makeFirstAdmin(service.database, issuer, settings)
    expect(made?.path).toBe(join(dataDir, 'first-admin.txt'))
    expect(String(made?.summary)).toBe('[secret]')
    expect(statSync(join(dataDir, 'first-admin.txt')).mode & 0o777).toBe(0o600)
    const text = readFileSync(join(dataDir, 'first-admin.txt'), 'utf8')
    const [, password = ''] = /^Password: +(\S+)/m.exec(text) ?? []
    expect(password).toMatch(/^[\w-]{24}$/)
    expect(text.includes(`Sign in:   ${service.url}/\n`)).toBe(n === 0)
    const lines = text.split('\n')
    expect(lines.length).toBeLessThanOrEqual(30)
    // Only the token is longer than a line, and it appears once.
    expect(lines.filter((line) => line.length > 120)).toEqual([expect.stringMatching(/^TOKEN=\S+$/)])
    // The terminal output is short and names the file.
    const summary = made?.summary.open() ?? ''
    expect(summary.includes(`Sign in at ${service.url}/`)).toBe(n === 0)
    for (const part of [email, password, join(dataDir, 'first-admin.txt')]) expect(summary).toContain(part)
    expect(summary).not.toContain('Bearer')
    expect(summary.trim().split('\n').length).toBeLessThanOrEqual(4)
    expect((await service.post('/auth/sign-in', { body: { email, password } })).status).toBe(200)
    passwords.push(password)
  }
  expect(new Set(passwords).size).toBe(2)
  const settings = { email, publicUrl: service.url, dataDir, servesConsole: true }
  expect(await makeFirstAdmin(service.database, issuer, settings)).toBeUndefined()
})

test('creates the configured administrator once, if there is none, who must replace the password', async () => {
  const service = await serviceForTest()
  const { issuer } = service.parts
  if (!issuer) throw new Error('the built-in issuer is disabled')
  const make = (password: string) =>
    makeConfiguredAdmin(service.database, issuer, { email: 'ops@example.com', password: new Secret(password) })
  await expect(make('Password123')).rejects.toThrow('MUSTER_FIRST_ADMIN_PASSWORD must have at least 15 characters')
  expect(await Promise.all([make(initial), make(initial)])).toEqual(expect.arrayContaining([true, false]))
  await service.sql(`update credential set email = 'renamed@example.com'`)
  expect(await make('another set of four words')).toBe(false)
  await service.sql(`update credential set email = 'ops@example.com'`)
  const signedIn = await service.post('/auth/sign-in', { body: { email: 'ops@example.com', password: initial } })
  expect(signedIn.status).toBe(200)
  const { access: token } = tokensOf(signedIn)
  expect(problemOf(await service.get('/api/v1/user/data', { token }))).toEqual({
    status: 403,
    code: 'password_change_required',
  })
})

const initial = 'orbit marmalade trellis quince'
