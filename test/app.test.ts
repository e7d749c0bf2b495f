import { createConnection } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp, operationsOf } from '../src/app.ts'
import { allContracts } from '../src/contracts.ts'
import { mount } from '../src/identity/mount.ts'
import { operation } from '../src/identity/operation.ts'
import type { OperationContract } from '../src/platform/http/contract.ts'
import { newServer } from '../src/platform/http/new-server.ts'
import { userDataContract } from '../src/user-data/contract.ts'
import { makeConsoleFolder } from './support/console-folder.ts'
import { problemOf } from './support/problem.ts'
import { type Service, serviceForTest, startService } from './support/service.ts'

let service: Service
const built = makeConsoleFolder()

beforeAll(async () => {
  service = await startService({
    consoleFolder: built.path,
    env: {
      MUSTER_METRICS_TOKEN: 'a-token-of-sixteen-characters',
      MUSTER_WEBAUTHN_ORIGINS: 'https://app.example.org',
      STRIPE_SECRET_KEY: 'sk_test_app',
      STRIPE_WEBHOOK_SECRET: 'whsec_app',
    },
  })
})
afterAll(async () => {
  await service.stop()
  built.remove()
})

describe('a hook added in one place', () => {
  const path = '/api/v1/user/data'

  async function hooked() {
    const plain = await serviceForTest()
    const app = buildApp(plain.parts)
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('x-hook', 'yes')
      done()
    })
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const { token } = await plain.person({ role: 'admin' })
    const answer = async (target: string, init: RequestInit = {}) => {
      const { status, headers } = await fetch(`${url}${target}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...Object.fromEntries(new Headers(init.headers)) },
      })
      return { status, hook: headers.get('x-hook'), etag: headers.get('etag') ?? '' }
    }
    return { app, url, answer }
  }

  test('runs for every response: first, cached and unchanged ones, streams, and every kind of error', async () => {
    const { app, url, answer } = await hooked()
    try {
      const cold = await answer(path)
      const json = { 'content-type': 'application/json' }
      const validate = '/api/v1/provider/keys/validate'
      const seen = [
        cold,
        await answer(path),
        await answer(path, { headers: { 'if-none-match': cold.etag } }),
        await answer('/api/v1/admin/users/fetch'),
        await answer('/api/v1/admin/users/fetch?limit=0'),
        await answer(path, { headers: { authorization: 'Bearer a.b.c' } }),
        await answer('/nowhere'),
        await answer(path, { method: 'DELETE' }),
        await answer(validate, { method: 'POST', headers: json, body: JSON.stringify({ apiKey: 'x'.repeat(20_000) }) }),
        await answer(validate, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }),
        await answer(`${path}?${'x'.repeat(9_000)}`),
        await answer('/livez', { headers: { 'x-long': 'y'.repeat(17_000) } }),
        await rawAnswer(url, '/api/%zz'),
        await rawAnswer(url, '/%'),
      ]
      expect(seen.map(({ status, hook }) => [status, hook])).toEqual(
        [200, 200, 304, 200, 400, 401, 404, 405, 413, 415, 414, 431, 400, 400].map((status) => [status, 'yes']),
      )
    } finally {
      await app.close()
    }
  })
})

test('405 lists only the methods of the path, also beside a path parameter and with a dot in the path', async () => {
  for (const path of ['/api/v1/admin/users/fetch', '/openapi.json']) {
    const { status, headers } = await service.call('DELETE', path)
    expect([path, status, headers.allow]).toEqual([path, 405, 'GET, HEAD'])
  }
  expect((await service.call('DELETE', '/openapixjson')).status).toBe(404)
})

test('413 — a body may be as long as the operation’s contract allows', async () => {
  const statusOf = async (path: string, bytes: number) =>
    (await service.call('POST', path, { body: { text: 'x'.repeat(bytes - 11) } })).status
  const limits = { '/auth/sign-in': 16_384, '/webhooks/stripe': 262_144 }
  for (const [path, bytes] of Object.entries(limits))
    expect([path, await statusOf(path, bytes), await statusOf(path, bytes + 1)]).toEqual([path, 400, 413])
})

describe('permissions of operations', () => {
  test('every contract is mounted if everything is configured', () => {
    const mounted = new Set(operationsOf(service.parts).map(({ contract }) => contract))
    const missing = allContracts.filter((contract) => !mounted.has(contract) && !contract.path.startsWith('/webhooks/'))
    expect(missing.map(({ id }) => id)).toEqual([])
  })

  function mountOf(contract: OperationContract): () => void {
    const app = newServer(
      {
        trustedProxies: [],
        untrustedProxies: { forwarded: () => undefined },
        connectionLimit: service.parts.server.connectionLimit,
        isDraining: () => false,
      },
      { log: service.parts.log, countRequest: () => undefined },
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

  const guarded = allContracts.filter(({ permission }) => permission.includes(':') || permission.startsWith('member'))

  test.each(guarded.map(({ id, method, path, permission }) => ({ id, method, path, permission })))(
    '$id rejects a caller without $permission, and does not reveal an organization to others',
    async (target) => {
      const { token, id } = await service.person()
      await service.sql(`delete from role_grant where role_id = 'user'`)
      const [own] = await service.sql<{ id: string }>(`insert into organization (name) values ('Own') returning id`)
      await service.sql(
        `insert into role (id, name, for_members) values ('guest', 'Guest', true) on conflict do nothing`,
      )
      await service.sql(`insert into membership (organization_id, account_id, role_id) values ($1, $2, 'guest')`, [
        own?.id,
        id,
      ])
      const other = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'
      const at = (orgId: string) => target.path.replace('{orgId}', orgId).replaceAll(/\{\w+\}/g, other)
      const ask = async (orgId: string) => problemOf(await service.call(target.method, at(orgId), { token }))

      const isOfOrganization = target.permission.endsWith(' in {orgId}')
      if (isOfOrganization) expect(await ask(other)).toEqual({ status: 404, code: 'organization_unknown' })
      if (isOfOrganization) expect(await ask('not-a-uuid')).toEqual({ status: 400, code: 'input_invalid' })
      if (!target.permission.startsWith('member'))
        expect(await ask(String(own?.id))).toEqual({ status: 403, code: 'permission_missing' })
    },
  )

  test('the test above covers all guarded operations', () => {
    expect(guarded.length).toBeGreaterThanOrEqual(15)
  })
})

/** For request targets that normal clients do not send. */
function rawAnswer(url: string, target: string): Promise<{ status: number; hook: string | null }> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () =>
      resolve({ status: Number(text.slice(9, 12)), hook: /\r\nx-hook: (\w+)/i.exec(text)?.[1] ?? null }),
    )
    socket.write(`GET ${target} HTTP/1.1\r\nHost: muster.test\r\nConnection: close\r\n\r\n`)
  })
}
