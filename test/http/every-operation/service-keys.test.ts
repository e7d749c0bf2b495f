import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type DocumentedOperation, operations } from '../../support/openapi.ts'
import { newOrganization, type TestOrganization } from '../../support/organizations.ts'
import { problemOf } from '../../support/problem.ts'
import { type Person, type Service, startService, testInProcess } from '../../support/service.ts'
import { allPermissions, keysPath, newKey } from '../../support/service-keys.ts'

let service: Service
let admin: Person
let organization: TestOrganization
beforeAll(async () => {
  service = await startService({
    env: { STRIPE_SECRET_KEY: 'sk_test_never_used', MUSTER_CLOUDFLARE_URL: 'http://127.0.0.1:1' },
  })
  admin = await service.person({ role: 'admin' })
  organization = await newOrganization(service)
})
afterAll(() => service.stop())

/** Operations that require a caller. Metrics have their own token. */
const called = operations.filter(({ needsCaller }) => needsCaller)

/** A service key may call what it can be given a permission for. */
const open = called.filter(({ grant }) => grant && actionsOf(grant.resource).includes(grant.action))

function actionsOf(resource: string): readonly string[] {
  return Object(allPermissions)[resource] ?? []
}

/** Where the path names a user or an organization, they are the member and `organization`. */
function call({ method, path }: DocumentedOperation, token: string) {
  const userId = organization.member.id
  const at = path.replace('{orgId}', organization.id).replace(/\{\w+\}/, userId)
  const check = { apiKey: 'k', keyType: 'api_token' }
  const bodies: Readonly<Record<string, object>> = {
    '/api/v1/provider/keys/validate': check,
    '/api/v1/provider/keys/validate-batch': { keys: [check] },
  }
  const identity = new URLSearchParams({ issuer: 'urn:muster:issuer', subject: userId })
  const query = path.endsWith('/by-identity') ? `?${identity}` : ''
  return service.call(method, `${at}${query}`, { token, ...(bodies[path] && { body: bodies[path] }) })
}

describe('every operation that requires a caller', () => {
  test('accepts a service key with its permission, or rejects all service keys', async () => {
    const whole = await newKey(service, admin)
    const seen: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const operation of called) {
      const { code, status } = problemOf(await call(operation, whole.key))
      seen[operation.id] = code ?? String(status)
      expected[operation.id] = open.includes(operation) ? '200' : 'caller_not_a_person'
    }
    // The provider is unreachable in this test, which proves that the check started.
    expect(seen).toEqual({ ...expected, validateProviderKey: 'provider_unreachable' })
    expect(open.length).toBeGreaterThan(10)
  })

  test('rejects a service key with all permissions except its own', async () => {
    for (const operation of open) {
      const { resource = '', action = '' } = operation.grant ?? {}
      const actions = actionsOf(resource).filter((name) => name !== action)
      const { [resource]: _, ...rest } = Object(allPermissions)
      const permissions = actions.length > 0 ? { ...rest, [resource]: actions } : rest
      const { key } = await newKey(service, admin, { permissions })
      expect({ id: operation.id, ...problemOf(await call(operation, key)) }).toEqual({
        id: operation.id,
        status: 403,
        code: 'permission_missing',
      })
    }
  })

  test('401 for a service key that is revoked, expired or unknown', async () => {
    const [revoked, expired] = [await newKey(service, admin), await newKey(service, admin)]
    await service.call('DELETE', `${keysPath}/${revoked.id}`, { token: admin.token })
    await service.sql('update service_key set expires_at = now() where id = $1', [expired.id])
    const unknown = await newKey(service, admin)
    await service.sql('delete from service_key where id = $1', [unknown.id])
    for (const operation of called) {
      const codes = [
        problemOf(await call(operation, revoked.key)).code,
        problemOf(await call(operation, expired.key)).code,
        problemOf(await call(operation, unknown.key)).code,
      ]
      expect([operation.id, ...codes]).toEqual([operation.id, 'token_invalid', 'token_expired', 'token_invalid'])
    }
  })

  testInProcess('a service key with a broken checksum causes no statement', async () => {
    const { key } = await newKey(service, admin)
    const broken = [`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, key.slice(0, -1), `${key}0`, 'msk_', 'msk_x']
    const query = vi.spyOn(service.database, 'query')
    const transaction = vi.spyOn(service.database, 'transaction')
    try {
      for (const operation of called)
        for (const token of broken)
          expect(problemOf(await call(operation, token))).toEqual({ status: 401, code: 'token_malformed' })
      expect([query.mock.calls.length, transaction.mock.calls.length]).toEqual([0, 0])
      for (const operation of called.slice(0, 1)) await call(operation, key)
      expect(query).toHaveBeenCalled()
    } finally {
      vi.restoreAllMocks()
    }
  })

  test('shows a key of another organization neither this user nor this organization', async () => {
    const { key } = await newKey(service, admin, { orgId: (await newOrganization(service)).id })
    const { id, email } = organization.member
    for (const operation of open) {
      const { text } = await call(operation, key)
      const about = text.replaceAll(/"instance":"[^"]*"/g, '') // the path that was called
      expect([operation.id, [id, email, organization.id].filter((part) => about.includes(part))]).toEqual([
        operation.id,
        [],
      ])
    }
  })
})
