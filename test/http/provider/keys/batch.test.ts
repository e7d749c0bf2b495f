import { PassThrough } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { faultToken } from '../../../../simulators/cloudflare/faults.ts'
import { json } from '../../../../simulators/cloudflare/routes.ts'
import { type CloudflareSimulator, startCloudflareSimulator } from '../../../../simulators/cloudflare/server.ts'
import { samples } from '../../../../simulators/cloudflare/state.ts'
import { problemOf } from '../../../support/problem.ts'
import { type Service, serviceForTest, startService } from '../../../support/service.ts'

let simulator: CloudflareSimulator
let service: Service
let token: string
beforeAll(async () => {
  simulator = await startCloudflareSimulator()
  service = await startService({
    env: {
      MUSTER_CLOUDFLARE_URL: simulator.url,
      MUSTER_KEY_CHECKS_PER_MINUTE: '100000',
      MUSTER_LOCK_OUT_FAILURES: '1000000',
      MUSTER_FAILED_KEYS_OF_USER: '1000000',
    },
  })
  token = (await service.person()).token
})
beforeEach(() => simulator.reset())
afterAll(async () => {
  await service.stop()
  await simulator.close()
})

const path = '/api/v1/provider/keys/validate-batch'
const tokenOf = (apiKey: string) => ({ apiKey, keyType: 'api_token' })

interface Line {
  readonly index: number
  readonly isValid?: boolean
  readonly message?: string
  readonly details?: object
  readonly problem?: { readonly status: number; readonly code: string }
  readonly retryAfterSeconds?: number
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const send = (body: object, query = '') => service.post(path + query, { token, body })
const ask = async (keys: readonly object[], query = '') => linesOf((await send({ keys }, query)).text)

describe('200', () => {
  test('returns one line per key, in the order of the request, equal to the response of a single check', async () => {
    const keys = [samples.oldAccountToken, 'short', samples.userToken, samples.disabled].map(tokenOf)
    const answer = await send({ keys })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    const single = await Promise.all(
      keys.map(async (body, index) => {
        const { body: verdict } = await service.post('/api/v1/provider/keys/validate', { token, body })
        return { index, ...(verdict as object) }
      }),
    )
    expect(linesOf(answer.text)).toEqual(single)
    expect(single.map((line) => 'isValid' in line && line.isValid)).toEqual([true, false, true, false])
  })

  test('an invalid key becomes a problem on its line, with pointers from the body, and the other keys are checked', async () => {
    const purpose = { ...tokenOf(samples.userToken), for: { zone: 'example.com' } }
    const lines = await ask([
      { apiKey: samples.userToken },
      { ...tokenOf('x'), provider: 'nobody' },
      { ...tokenOf('x'), provider: 'route53', keyType: 'api_key' },
      purpose,
      tokenOf(samples.userToken),
      tokenOf(faultToken('html_502')),
    ])
    const common = {
      type: expect.any(String),
      title: expect.any(String),
      instance: expect.stringMatching(/^urn:uuid:/),
    }
    const input = { ...common, status: 400, code: 'input_invalid' }
    const many = 'See `errors` for every invalid value.'
    const fault = (pointer: string) => [{ pointer, detail: expect.any(String) }]
    expect(lines).toEqual([
      { index: 0, problem: { ...input, detail: many, errors: fault('/keys/0/keyType') } },
      {
        index: 1,
        problem: {
          ...input,
          code: 'provider_unsupported',
          detail: expect.any(String),
          errors: fault('/keys/1/provider'),
        },
      },
      { index: 2, problem: { ...input, errors: fault('/keys/2/parts/accessKeyId') } },
      { index: 3, problem: { ...input, errors: fault('/keys/3/for') } },
      { index: 4, isValid: true, message: expect.any(String) },
      {
        index: 5,
        problem: { ...common, status: 502, code: 'provider_answer_unexpected', detail: expect.any(String) },
      },
    ])
  })

  test('?details=true adds the details to each line', async () => {
    const [line] = await ask([{ ...tokenOf(samples.userToken), for: { zone: 'example.com' } }], '?details=true')
    expect(line).toMatchObject({ isValid: true, details: { provider: 'cloudflare', fitsPurpose: expect.any(String) } })
  })

  test('calls the provider once for a credential on many lines', async () => {
    const lines = await ask(Array.from({ length: 40 }, () => tokenOf(samples.unknownUserToken)))
    expect(lines.map(({ isValid }) => isValid)).toEqual(Array.from({ length: 40 }, () => false))
    expect(simulator.received).toHaveLength(1)
  })

  test.each(['identity', 'gzip'])('sends each line as soon as its check is done (%s)', async (coding) => {
    let release = () => {}
    simulator.control.hold = new Promise((resolve) => {
      release = resolve
    })
    const { body } = await request(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'accept-encoding': coding },
      body: JSON.stringify({ keys: [{ apiKey: 'without a type' }, tokenOf(samples.userToken)] }),
    })
    const decoded = body.pipe(coding === 'gzip' ? createGunzip() : new PassThrough())
    const pieces = decoded.setEncoding('utf8')[Symbol.asyncIterator]()
    expect(linesOf((await pieces.next()).value)).toMatchObject([{ index: 0, problem: { code: 'input_invalid' } }])
    release()
    expect(linesOf((await pieces.next()).value)).toMatchObject([{ index: 1, isValid: true }])
    expect(await pieces.next()).toMatchObject({ done: true })
  })

  test('checks 1,000 keys, each in the audit log, without a key in any response, log or row', async () => {
    const alone = await serviceForTest({
      env: { MUSTER_CLOUDFLARE_URL: simulator.url, MUSTER_KEY_CHECKS_PER_MINUTE: '100000' },
    })
    const { id, token: own } = await alone.person()
    const canary = 'canary-of-the-batch'
    const keys = Array.from({ length: 1_000 }, (_, index) => tokenOf(`${canary} ${index}`))
    const { text } = await alone.post(path, { token: own, body: { keys } })
    expect(linesOf(text).map(({ index, isValid }) => [index, isValid])).toEqual(keys.map((_, index) => [index, false]))
    const [{ count, actors } = {}] = await alone.sql<{ count: string; actors: string[] }>(
      `select count(*), array_agg(distinct actor_id::text) as actors from audit_event where action = 'provider_key.checked'`,
    )
    expect([Number(count), actors]).toEqual([1_000, [id]])
    const rows = await alone.sql(`select to_jsonb(e)::text as text from audit_event e
      union all select to_jsonb(l)::text from rate_limit l`)
    for (const sink of [text, await alone.logged(), JSON.stringify(rows)]) expect(sink).not.toContain(canary)
  })
})

describe('400, 413', () => {
  test.each([
    ['no keys', {}, '/keys'],
    ['an empty list', { keys: [] }, '/keys'],
    ['keys that are not a list', { keys: 'x' }, '/keys'],
    ['1,001 keys', { keys: Array.from({ length: 1_001 }, () => ({})) }, '/keys'],
    ['a string as a key', { keys: [tokenOf('short'), 'short'] }, '/keys/1'],
    ['an unknown member', { keys: [tokenOf('short')], other: 1 }, '/other'],
  ])('rejects %s without checking any key', async (_, body, pointer) => {
    const answer = await send(body)
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
    expect((answer.body as { errors: readonly { pointer: string }[] }).errors.map((fault) => fault.pointer)).toContain(
      pointer,
    )
  })

  test('rejects a body over 4 MiB, and reads a smaller one that exceeds the limit of other operations', async () => {
    const keys = Array.from({ length: 1_000 }, () => ({ apiKey: 'x'.repeat(4_090) }))
    expect((await send({ keys })).status).toBe(200)
    expect(problemOf(await send({ keys: keys.map((key) => ({ ...key, keyType: 'x'.repeat(200) })) }))).toEqual({
      status: 413,
      code: 'body_too_large',
    })
  })
})

test('401, 403: returns nothing and makes no call without a token or the permission', async () => {
  const keys = [tokenOf(samples.userToken)]
  expect(problemOf(await service.post(path, { body: { keys } }))).toEqual({ status: 401, code: 'token_missing' })
  const alone = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: simulator.url } })
  const { token: own } = await alone.person()
  await alone.sql(`delete from role_grant where resource = 'provider_keys'`)
  expect(problemOf(await alone.post(path, { token: own, body: { keys } }))).toEqual({
    status: 403,
    code: 'permission_missing',
  })
  expect(simulator.received).toEqual([])
})

test('429: each key counts as one check of the caller; a key over the limit becomes a problem with the retry time', async () => {
  const alone = await serviceForTest({
    env: { MUSTER_CLOUDFLARE_URL: simulator.url, MUSTER_KEY_CHECKS_PER_MINUTE: '3' },
  })
  const { token: own } = await alone.person()
  const keys = Array.from({ length: 5 }, (_, index) => tokenOf(`short ${index}`))
  const lines = linesOf((await alone.post(path, { token: own, body: { keys } })).text)
  expect(lines.filter(({ isValid }) => isValid === false)).toHaveLength(3)
  const over = lines.filter(({ problem }) => problem !== undefined)
  expect(over.map(({ problem }) => problem?.code)).toEqual(['rate_limited', 'rate_limited'])
  for (const { retryAfterSeconds } of over) expect(retryAfterSeconds).toBeGreaterThan(0)
  expect(problemOf(await alone.post('/api/v1/provider/keys/validate', { token: own, body: keys[0] ?? {} }))).toEqual({
    status: 429,
    code: 'rate_limited',
  })
})

test('503: a node runs at most four batches; a batch whose client disconnects stops and makes room', async () => {
  // Each lasts at least a minute, so that four run in parallel even on a busy machine.
  const many = Array.from({ length: 1_000 }, (_, index) => tokenOf(`${index}`.padStart(40, 'u')))
  simulator.control.delayMs = 500
  const id = '100bf38cc8393103870917dd535e0628'
  simulator.control.answer = () =>
    json(200, { success: true, errors: [], messages: [], result: { id, status: 'active' } })
  const dispatcher = new Agent()
  onTestFinished(() => dispatcher.destroy())
  const start = async () => {
    const gone = new AbortController()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ keys: many })
    const answer = await request(service.url + path, { method: 'POST', headers, body, signal: gone.signal, dispatcher })
    answer.body.on('error', () => undefined)
    return { status: answer.statusCode, gone }
  }
  const batches = await Promise.all([start(), start(), start(), start()])
  expect(batches.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(problemOf(await send({ keys: [tokenOf('short')] }))).toEqual({ status: 503, code: 'overloaded' })
  for (const { gone } of batches) gone.abort()
  await expect.poll(async () => (await send({ keys: [tokenOf('short')] })).status).toBe(200)
  // A batch that continued would call the provider for its keys as well.
  const received = new Set(simulator.received)
  simulator.control.delayMs = 0
  const others = Array.from({ length: 300 }, (_, index) => `${index}`.padStart(40, 'o'))
  expect((await send({ keys: others.map(tokenOf) })).status).toBe(200)
  const asked = simulator.received.filter((call) => !received.has(call)).map(({ headers }) => headers.authorization)
  expect(asked.filter((token) => !token?.startsWith('Bearer o')).length).toBeLessThanOrEqual(4 * 8)
})
