import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDataDir } from '../support/data-dir.ts'
import { everyRow, tableOf } from '../support/every-row.ts'
import { fullAccount } from '../support/full-account.ts'
import type { Service } from '../support/service.ts'
import { startIssuer } from '../support/test-client.ts'

let service: Service
let dataDir: Awaited<ReturnType<typeof makeDataDir>>

beforeAll(async () => {
  dataDir = await makeDataDir()
  service = await startIssuer({ env: { MUSTER_DATA_DIR: dataDir.path } })
})
afterAll(async () => {
  await service.stop()
  await dataDir.remove()
})

test('deleting an account leaves its id only in the audit log and the list of deletions, and its email nowhere', async () => {
  const admin = await service.person({ role: 'admin' })
  const { id, email, orgId } = await fullAccount(service, admin)
  const before = await everyRow(service)
  const path = `/api/v1/admin/users/${id}`
  const call = { token: admin.token, headers: { 'if-match': '*' }, body: { immediately: true } }
  expect((await service.call('DELETE', path, call)).status).toBe(202)
  const after = await everyRow(service)
  const tablesThatName = (rows: readonly string[], text: string) => [
    ...new Set(rows.filter((row) => row.includes(text)).map(tableOf)),
  ]
  expect(tablesThatName(before, email).length).toBeGreaterThan(4)
  expect(tablesThatName(after, email)).toEqual([])
  // An unclaimed customer of the organization.
  expect(tablesThatName(after, orgId).sort()).toEqual(['audit_event', 'customer'])
  expect(tablesThatName(after, id).sort()).toEqual(['audit_event', 'erasure'])
})
