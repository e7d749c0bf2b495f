import { expect, test } from 'vitest'
import { problemOf } from '../../support/problem.ts'
import { type Service, serviceForTest } from '../../support/service.ts'

const path = '/api/v1/admin/system'
const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

interface Status {
  readonly advice: readonly { readonly code: string; readonly level: string }[]
  readonly settings: readonly { readonly name: string }[]
}

async function read(service: Service): Promise<Status & Record<string, unknown>> {
  const { token } = await service.person({ role: 'admin' })
  const answer = await service.get(path, { token })
  expect(answer.status).toBe(200)
  expect(answer.headers['cache-control']).toBe('no-store')
  return answer.body as Status & Record<string, unknown>
}

const codesOf = ({ advice }: Status) => advice.map(({ code }) => code)

test('200 — reports the node, its dependencies and their states, and nothing else', async () => {
  const { advice, settings, jobs, ...rest } = await read(await serviceForTest())
  expect(rest).toEqual({
    at,
    node: {
      host: expect.stringMatching(/./),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      nodeVersion: expect.stringMatching(/^v\d+/),
      startedAt: at,
      isDraining: false,
    },
    database: {
      place: expect.stringMatching(/^(embedded|external)$/),
      version: expect.stringMatching(/^\d+/),
      state: 'up',
      failures: expect.any(Array),
      pools: ['main', 'side', 'streams'].map((name) => ({
        name,
        max: expect.any(Number),
        busy: expect.any(Number),
        waiting: 0,
        refused: 0,
      })),
    },
    clock: { offsetSeconds: expect.any(Number), isFar: false },
    schema: { version: expect.any(Number), releaseVersion: expect.any(Number), pending: [], ahead: [] },
    issuers: [{ issuer: 'http://muster.test', kind: 'built_in' }],
    mail: { isConfigured: false, waiting: 0, oldestSeconds: 0, sent: 0, retried: [], givenUp: [] },
    limits: ['exports', 'client connections', 'file descriptors'].map((name) => ({ name, reached: 0 })),
  })
  expect(jobs).toEqual(expect.arrayContaining([{ name: 'upkeep' }]))
  expect(settings).toEqual(
    expect.arrayContaining([
      { name: 'MUSTER_PUBLIC_URL', isSet: true, isSecret: false, value: 'http://muster.test' },
      { name: 'MUSTER_DRAIN_SECONDS', isSet: false, isSecret: false, value: '10' },
      { name: 'MUSTER_METRICS_TOKEN', isSet: false, isSecret: true },
    ]),
  )
  expect(advice).toEqual(expect.any(Array))
})

test('contains no secret in any form, only whether it is set', async () => {
  const secrets = {
    MUSTER_METRICS_TOKEN: 'metrics-token-0123456789',
    STRIPE_SECRET_KEY: 'sk_test_secretsecret',
    STRIPE_WEBHOOK_SECRET: 'whsec_secretsecret',
    MUSTER_SMTP_URL: 'smtps://mailer:passwordofmail@mail.example.com',
    MUSTER_ISSUERS: JSON.stringify([
      {
        issuer: 'https://id.example.com',
        algorithms: ['HS256'],
        audience: 'app',
        secret: 'secret-of-thirty-two-characters-',
        keys: 'none',
      },
    ]),
  }
  const service = await serviceForTest({
    env: { ...secrets, MUSTER_MAIL_FROM: 'muster@example.com', MUSTER_RETURN_ORIGINS: 'https://app.example.com' },
  })
  const status = await read(service)
  expect(status.settings).toEqual(
    expect.arrayContaining(Object.keys(secrets).map((name) => ({ name, isSet: true, isSecret: true }))),
  )
  expect(status.issuers).toContainEqual({ issuer: 'https://id.example.com', kind: 'configured' })
  const text = JSON.stringify(status)
  for (const secret of [...Object.values(secrets), 'passwordofmail', 'secretsecret', 'secret-of-thirty'])
    expect(text).not.toContain(secret)
})

test('reports findings with a code and the command to run, the most severe first', async () => {
  const service = await serviceForTest({
    env: { STRIPE_WEBHOOK_SECRET: 'whsec_1', MUSTER_PUBLIC_URL: 'https://muster.test', MUSTER_SIGN_UP: 'open' },
  })
  await service.sql(`insert into customer (id) values ('cus_1')`)
  await service.sql(
    `insert into subscription (id, customer_id, price_ids, status, created_at, seen_at, seen_rank)
     values ('sub_1', 'cus_1', '{price_1}', 'active', now(), now(), 0)`,
  )
  await service.sql(`insert into upkeep (task, finished_at) values ('all', '2026-01-01T00:00:00Z')`)
  const status = await read(service)
  expect(codesOf(status)).toEqual(
    expect.arrayContaining([
      'billing_setting_missing',
      'prices_unmapped',
      'customers_waiting',
      'sign_up_open',
      'proxies_untrusted',
    ]),
  )
  expect(status.advice).toContainEqual({
    code: 'prices_unmapped',
    level: 'warn',
    detail: 'Subscriptions have prices that are not mapped to a plan.',
    values: { count: '1' },
    command: 'muster plans unmapped',
  })
  expect(status.jobs).toContainEqual({
    name: 'upkeep',
    lastAt: '2026-01-01T00:00:00.000Z',
    nextAt: '2026-01-01T00:10:00.000Z',
  })
  const levels = status.advice.map(({ level }) => level)
  expect(levels).toEqual([...levels].sort())
})

test('names an unreachable issuer, without calling it in the request', async () => {
  const service = await serviceForTest({
    env: {
      MUSTER_ISSUERS: JSON.stringify([
        { issuer: 'http://127.0.0.1:9', algorithms: ['ES256'], audience: 'app', keys: 'http://127.0.0.1:9/keys' },
      ]),
    },
  })
  await expect
    .poll(() => read(service), { timeout: 20_000 })
    .toMatchObject({
      issuers: expect.arrayContaining([{ issuer: 'http://127.0.0.1:9', kind: 'remote', keys: 'unavailable' }]),
      advice: expect.arrayContaining([expect.objectContaining({ code: 'issuer_unavailable', level: 'fail' })]),
    })
})

test('401 without a token, 403 without the permission system:read', async () => {
  const service = await serviceForTest()
  const { token } = await service.person()
  expect(problemOf(await service.get(path))).toEqual({ status: 401, code: 'token_missing' })
  expect(problemOf(await service.get(path, { token }))).toEqual({ status: 403, code: 'permission_missing' })
})
