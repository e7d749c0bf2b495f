import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeConsoleFolder } from '../../support/console-folder.ts'
import { type DocumentedOperation, operations, pathOf, unknownId } from '../../support/openapi.ts'
import { problemOf } from '../../support/problem.ts'
import { exchange } from '../../support/raw-http.ts'
import { type Call, type Person, type Service, startService } from '../../support/service.ts'

let service: Service
let admin: Person
let orgId: string
const built = makeConsoleFolder()
beforeAll(async () => {
  // Configures everything that adds operations.
  service = await startService({
    consoleFolder: built.path,
    env: {
      MUSTER_METRICS_TOKEN: metricsToken,
      MUSTER_WEBAUTHN_ORIGINS: 'https://app.example.org',
      STRIPE_SECRET_KEY: 'sk_test_refusals',
      STRIPE_WEBHOOK_SECRET: 'whsec_refusals',
      PADDLE_WEBHOOK_SECRET: 'pdl_ntfset_refusals',
      POLAR_WEBHOOK_SECRET: 'polar_whs_refusals',
      MUSTER_READS_PER_MINUTE: '1000000',
      MUSTER_WRITES_PER_MINUTE: '1000000',
      MUSTER_SIGN_INS_PER_MINUTE: '1000000',
    },
  })
  admin = await service.person({ role: 'admin' })
  orgId = await organizationOf(admin, 'owner')
  await service.sql(`update session set amr = '{pwd,otp,mfa}' where account_id = $1`, [admin.id])
})
afterAll(async () => {
  await service.stop()
  built.remove()
})

const metricsToken = 'a-token-of-sixteen-characters'
const writes = operations.filter(({ method }) => method !== 'GET')
/** Payment events are read as bytes, and their signature is verified first. */
const withBody = operations.filter(({ body, path }) => body && !path.startsWith('/webhooks/'))

async function organizationOf({ id }: Person, role: string): Promise<string> {
  const [row] = await service.sql<{ id: string }>(
    `with made as (insert into organization (name) values ('Engines') returning id)
     insert into membership (organization_id, account_id, role_id) select id, $1, $2 from made returning organization_id as id`,
    [id, role],
  )
  return String(row?.id)
}

/** As an administrator who is the owner of an organization, with the documented body unless the call has another one. */
function call(operation: DocumentedOperation, { query = '', ...more }: Call & { readonly query?: string } = {}) {
  const token = operation.permission === 'metrics-token' ? metricsToken : admin.token
  const example = operation.body && !more.rawBody && { body: operation.body.example }
  return service.call(operation.method, `${pathOf(operation, { orgId })}${query}`, {
    token,
    ...example,
    ...more,
    headers: { 'if-match': '*', ...(operation.body && { 'content-type': 'application/json' }), ...more.headers },
  })
}

test('no operation of openapi.json is missing if everything is configured', async () => {
  for (const operation of operations)
    expect(problemOf(await call(operation, { query: '?surprise=1' })).code, operation.id).not.toBe('route_unknown')
})

describe('401 token_missing without a token', () => {
  test.each(operations.filter(({ permission }) => permission !== 'public'))('$method $path', async (operation) => {
    const answer = await service.call(operation.method, pathOf(operation, { orgId }))
    expect(problemOf(answer)).toEqual({ status: 401, code: 'token_missing' })
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="muster"')
  })
})

describe('without the permission', () => {
  const guarded = operations.filter(({ grant, permission }) => grant || permission.startsWith('member'))
  let guest: Person
  let ownOrgId: string
  beforeAll(async () => {
    await service.sql(
      `insert into role (id, name, for_members) values ('none', 'None', false), ('guest', 'Guest', true)`,
    )
    guest = await service.person({ role: 'none' })
    ownOrgId = await organizationOf(guest, 'guest')
  })

  test.each(guarded.filter(({ grant }) => grant))('403 permission_missing for $method $path', async (operation) => {
    const at = pathOf(operation, { orgId: ownOrgId })
    const answer = await service.call(operation.method, at, { token: guest.token })
    expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_missing' })
  })

  test.each(guarded.filter(({ isInOrganization }) => isInOrganization))(
    '404 organization_unknown for $method $path in an organization of others, as for one that does not exist',
    async (operation) => {
      const ask = async (id: string) =>
        problemOf(await service.call(operation.method, pathOf(operation, { orgId: id }), { token: guest.token }))
      for (const id of [orgId, unknownId]) expect(await ask(id)).toEqual({ status: 404, code: 'organization_unknown' })
      expect(await ask('not-a-uuid')).toEqual({ status: 400, code: 'input_invalid' })
    },
  )
})

describe('400 input_invalid names a query parameter that does not exist', () => {
  // An issuer sends the browser back to the page with its own parameters.
  test.each(operations.filter(({ id }) => id !== 'getConsolePage'))('$method $path', async (operation) => {
    const answer = await call(operation, { query: '?surprise=1' })
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'input_invalid',
      errors: expect.arrayContaining([{ parameter: 'surprise', detail: expect.any(String) }]),
    })
  })
})

describe('400 input_invalid names a member of the body that', () => {
  test.each(withBody)('does not exist: $method $path', async (operation) => {
    const answer = await call(operation, { body: { ...Object(operation.body?.example), surprise: 1 } })
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'input_invalid',
      errors: expect.arrayContaining([{ pointer: '/surprise', detail: expect.any(String) }]),
    })
  })

  test.each(withBody)('is sent twice, or is not well-formed Unicode: $method $path', async (operation) => {
    const answer = await call(operation, { rawBody: '{"name":"a","name":"b","password":"\\ud800"}' })
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'input_invalid',
      errors: [
        { pointer: '/name', detail: 'is sent more than once' },
        { pointer: '/password', detail: 'is not well-formed Unicode' },
      ],
    })
  })
})

describe('405 method_not_allowed lists the methods of the path in Allow', () => {
  test.each([...new Set(operations.map(({ path }) => path))])('%s', async (path) => {
    const methods = operations.filter((operation) => operation.path === path).map(({ method }) => method)
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].filter(
      (one) => !allowed.includes(one),
    )) {
      const { status, headers } = await service.call(method, pathOf({ path }, { orgId }), { token: admin.token })
      expect({ method, status, allow: String(headers.allow).split(', ').sort() }).toEqual({
        method,
        status: 405,
        allow: allowed.sort(),
      })
    }
  })
})

describe('413 body_too_large for a body one byte longer than allowed', () => {
  const bytesMax = ({ id, path }: DocumentedOperation) => {
    if (path.startsWith('/webhooks/')) return 262_144
    return id === 'validateProviderKeys' ? 4_194_304 : 16_384
  }

  test.each(writes)('$method $path', async (operation) => {
    const head = (bytes: number) =>
      `${operation.method} ${pathOf(operation, { orgId })} HTTP/1.1\r\nHost: muster.test\r\nIf-Match: *\r\nConnection: close\r\n` +
      `Authorization: Bearer ${admin.token}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
    const [answer] = await exchange(service.url, head(bytesMax(operation) + 1))
    expect(answer).toMatchObject({ status: 413, body: expect.stringContaining('"code":"body_too_large"') })
  })

  test.each(withBody.filter(({ id }) => id !== 'validateProviderKeys'))(
    'and not for one byte less: $method $path',
    async (operation) => {
      const { text } = await call(operation, { rawBody: `{${' '.repeat(bytesMax(operation) - 2)}]` })
      expect(text).toContain('"code":"body_malformed"')
    },
  )
})

describe('415 content_type_unsupported for a body that is not JSON', () => {
  test.each(withBody)('$method $path', async (operation) => {
    const answer = await call(operation, {
      rawBody: 'name=ada',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(problemOf(answer)).toEqual({ status: 415, code: 'content_type_unsupported' })
  })
})
