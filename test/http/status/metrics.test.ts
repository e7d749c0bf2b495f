import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { takeDatabaseAway } from '../../support/database-away.ts'
import { serviceForTest, testInProcess } from '../../support/service.ts'

const token = 'a-token-of-the-monitoring'
const env = { MUSTER_METRICS_TOKEN: token }

testInProcess('200 — requests are counted by operation and status', async () => {
  const service = await serviceForTest({ env })
  const person = await service.person()
  await service.get('/api/v1/user/data', { token: person.token })
  await service.get('/api/v1/user/data', { token: person.token })
  await service.get('/api/v1/user/data')
  await service.get('/no/such/page')
  const { status, headers, text } = await service.get('/metrics', { token })
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  const count = (labels: string) => `muster_http_request_duration_seconds_count{${labels}}`
  const lines = text.split('\n')
  expect(lines).toContain(`${count('operation="getUserData",status="200"')} 2`)
  expect(lines).toContain(`${count('operation="getUserData",status="401"')} 1`)
  expect(lines).toContain(`${count('operation="none",status="404"')} 1`)
  expect(text).toMatch(/muster_database_connections\{pool="main",state="idle"\} [1-9]/)
  expect(lines).toContain('muster_database_connections_max{pool="streams"} 4')
  expect(lines).toContain('muster_database_state{state="up"} 1')
  expect(lines).toContain('muster_database_state{state="read_only"} 0')
  expect(text).not.toContain(person.email)
  expect(text).not.toContain(person.id)
})

testInProcess('shows when the last daily backup was made, with the embedded database only', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-metrics-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const service = await serviceForTest({ env: { ...env, MUSTER_DATA_DIR: dataDir } })
  const madeAt = async () =>
    /^muster_backup_timestamp_seconds (.+)$/m.exec((await service.get('/metrics', { token })).text)?.[1]
  expect(await madeAt()).toBe('0')
  mkdirSync(join(dataDir, 'backups'))
  writeFileSync(join(dataDir, 'backups', 'muster-2026-05-01T12-00-00Z.backup'), '')
  expect(await madeAt()).toBe('1777636800')
  const other = await serviceForTest({ env: { ...env, DATABASE_URL: service.fresh.url } })
  expect((await other.get('/metrics', { token })).text).not.toContain('muster_backup')
})

test('counts current lockouts of accounts and networks, and no buckets with units left', async () => {
  const service = await serviceForTest({ env })
  await service.sql(`insert into sign_in_bucket (scope, key, full_at, failures, capacity, step) values
    ('account', 'a', now() + interval '150 minutes', 10, 10, '15 minutes'), ('account', 'b', now() + interval '134 minutes', 9, 10, '15 minutes'),
    ('account', 'c', now() - interval '1 second', 9, 10, '15 minutes'), ('network', 'd', now() + interval '300 seconds', 1, 100, '3 seconds'),
    ('calls', 'e', now() + interval '60 seconds', 1, 60, '1 second')`)
  const { text } = await service.get('/metrics', { token })
  expect(text).toMatch(/^muster_sign_in_waits\{scope="account"\} 1$/m)
  expect(text).toMatch(/^muster_sign_in_waits\{scope="network"\} 1$/m)
})

test('lockouts are NaN without the database, and all other metrics are available', async () => {
  const service = await serviceForTest({ env })
  const away = await takeDatabaseAway(service)
  const { status, text } = await service.get('/metrics', { token })
  await away.back()
  expect(status, text).toBe(200)
  expect(text).toMatch(/^muster_sign_in_waits\{scope="account"\} Nan$/m)
  expect(text).toMatch(/^muster_sign_in_waits\{scope="network"\} Nan$/m)
  expect(text).toMatch(/^muster_database_connections_max\{pool="streams"\} 4$/m)
})

test('401 — without the token, with another, and with an administrator’s token', async () => {
  const service = await serviceForTest({ env })
  const admin = await service.person({ role: 'admin' })
  const refused = async (call: object) => {
    const { status, headers, body } = await service.get('/metrics', call)
    return { status, challenge: headers['www-authenticate'], code: (body as { code: string }).code }
  }
  expect(await refused({})).toMatchObject({ status: 401, code: 'token_missing' })
  for (const wrong of [`${token}x`, token.slice(0, -1), token.toUpperCase(), admin.token])
    expect(await refused({ token: wrong })).toMatchObject({ status: 401, code: 'token_invalid' })
  expect(await service.logged()).not.toContain(token)
})

test('404 — if no token is configured, for every caller', async () => {
  const service = await serviceForTest()
  const admin = await service.person({ role: 'admin' })
  expect((await service.get('/metrics', { token: admin.token })).status).toBe(404)
})
