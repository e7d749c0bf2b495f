import { afterAll, beforeAll, expect, test } from 'vitest'
import { allContracts } from '../../src/contracts.ts'
import { mount, operation } from '../../src/identity/operation.ts'
import type { OperationContract } from '../../src/platform/http/contract.ts'
import { newServer } from '../../src/platform/http/new-server.ts'
import { userDataContract } from '../../src/user-data/contract.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

function mountOf(contract: OperationContract): () => void {
  const app = newServer(
    {
      trustedProxies: [],
      untrustedProxies: { forwarded: () => undefined },
      connectionLimit: service.parts.server.connectionLimit,
      isDraining: () => false,
    },
    { log: service.parts.log, countRequest: () => undefined },
    () => [],
  )
  return () => mount(app, service.parts.access, [contract], [operation(contract, () => undefined)])
}

const { actAs: _, ...read } = userDataContract

test('a contract without a permission stops the start', () => {
  const { permission: _, ...rest } = allContracts[0] ?? {}
  // The compiler rejects a contract without the member.
  expect(mountOf({ ...rest } as OperationContract)).toThrow('no permission')
})

test.each(['users', 'users:', 'Users:list', 'users:list in {userId}', 'users:list in {orgId} or not'])(
  'an unknown form of permission stops the start: %s',
  (permission) => {
    // The compiler accepts any text with a colon.
    expect(mountOf({ ...read, permission } as OperationContract)).toThrow(`${permission} is not a valid permission.`)
  },
)

test('a permission in an organization that the path does not name stops the start', () => {
  expect(mountOf({ ...read, permission: 'users:list in {orgId}' })).toThrow('has no {orgId} in its path')
})

test.each<[string, OperationContract]>([
  ['requires a level without a caller', { ...read, permission: 'public', needs: { maxAgeSeconds: 60 } }],
  ['requires a level for the metrics token', { ...read, permission: 'metrics-token', needs: { maxAgeSeconds: 60 } }],
  ['allows writes while acting as a user', { ...read, method: 'POST', actAs: true }],
  ['allows acting as a user with a permission', { ...read, permission: 'users:list', actAs: true }],
])('a contract that %s stops the start', (_, contract) => {
  expect(mountOf(contract)).toThrow(`The operation ${contract.id} `)
})
