import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFirstAdmin } from '../../src/sign-in/first-admin.ts'
import { serviceForTest } from '../support/service.ts'

const email = 'admin@muster.local'

test('the first administrator has a random password in a file for its owner alone, and is made in an empty database only', async () => {
  const service = await serviceForTest()
  const { issuer } = service.parts
  if (!issuer) throw new Error('the built-in issuer is disabled')
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-first-admin-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const passwords: string[] = []
  for (let n = 0; n < 2; n += 1) {
    await service.sql('delete from account')
    const made = await makeFirstAdmin(service.database, issuer, { publicUrl: service.url, dataDir })
    expect(made?.path).toBe(join(dataDir, 'first-admin.txt'))
    expect(String(made?.text)).toBe('[secret]')
    expect(statSync(join(dataDir, 'first-admin.txt')).mode & 0o777).toBe(0o600)
    const [, password = ''] = /^Password: +(\S+)$/m.exec(readFileSync(join(dataDir, 'first-admin.txt'), 'utf8')) ?? []
    expect(password).toMatch(/^[\w-]{24}$/)
    expect((await service.post('/auth/sign-in', { body: { email, password } })).status).toBe(200)
    passwords.push(password)
  }
  expect(new Set(passwords).size).toBe(2)
  expect(await makeFirstAdmin(service.database, issuer, { publicUrl: service.url, dataDir })).toBeUndefined()
})
