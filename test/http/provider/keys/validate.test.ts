import { Agent } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { faultToken } from '../../../../simulators/cloudflare/faults.ts'
import { type CloudflareSimulator, startCloudflareSimulator } from '../../../../simulators/cloudflare/server.ts'
import { samples, synthetic } from '../../../../simulators/cloudflare/state.ts'
import { problemOf } from '../../../support/problem.ts'
import { route53ForTest } from '../../../support/route53.ts'
import { type Service, serviceForTest, startService, testInProcess } from '../../../support/service.ts'

let simulator: CloudflareSimulator
let service: Service
let token: string
const metricsToken = 'only-for-the-scraper'
beforeAll(async () => {
  simulator = await startCloudflareSimulator()
  service = await startService({
    env: {
      MUSTER_CLOUDFLARE_URL: simulator.url,
      MUSTER_KEY_CHECKS_PER_MINUTE: '100000',
      MUSTER_LOCK_OUT_FAILURES: '1000000',
      MUSTER_FAILED_KEYS_OF_USER: '1000000',
      MUSTER_METRICS_TOKEN: metricsToken,
    },
  })
  token = (await service.person()).token
})
beforeEach(() => simulator.reset())
afterAll(async () => {
  await service.stop()
  await simulator.close()
})

const path = '/api/v1/provider/keys/validate'
const check = (body: object, query = '') => service.post(path + query, { token, body })

describe('200', () => {
  const verdicts = [
    [
      'an active user token',
      { apiKey: samples.userToken, keyType: 'api_token' },
      true,
      /is genuine; its permissions were not checked/,
    ],
    [
      'an account-owned token',
      { apiKey: samples.accountToken, keyType: 'api_token' },
      true,
      /is genuine; its permissions were not checked/,
    ],
    [
      'a global key with its email',
      { apiKey: samples.oldGlobalKey, keyType: 'api_key', email: samples.email },
      true,
      /is genuine; a key with fewer permissions would be safer/,
    ],
    ['a disabled token', { apiKey: samples.disabled, keyType: 'api_token' }, false, /is disabled/],
    ['an expired token', { apiKey: samples.expired, keyType: 'api_token' }, false, /expired/],
    ['an unknown token', { apiKey: samples.unknownUserToken, keyType: 'api_token' }, false, /does not recognize/],
    ['a malformed token', { apiKey: 'short', keyType: 'api_token' }, false, /not a well-formed/],
    ['a global key pasted as a token', { apiKey: samples.oldGlobalKey, keyType: 'api_token' }, false, /Global API Key/],
    [
      "a key with another user's email",
      { apiKey: samples.oldGlobalKey, keyType: 'api_key', email: samples.otherEmail },
      false,
      /address is wrong/,
    ],
    [
      'a key with a line break inside',
      { apiKey: 'abc\ndef', keyType: 'api_token' },
      false,
      /characters that cannot be part/,
    ],
  ] as const

  test.each(verdicts)(
    'returns the verdict on %s, in exactly the two members of the specification',
    async (_, body, isValid, message) => {
      const answer = await check(body)
      expect(answer.status).toBe(200)
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.body).toEqual({ isValid, message: expect.stringMatching(message) })
    },
  )

  test('adds details only on request', async () => {
    const body = { apiKey: samples.userToken, keyType: 'api_token' }
    const { body: detailed } = await check(body, '?details=true')
    expect(detailed).toMatchObject({
      isValid: true,
      details: { provider: 'cloudflare', code: 'valid', credential: 'user_token' },
    })
    expect((await check(body, '?details=false')).body).not.toHaveProperty('details')
  })

  test('a purpose adds its result to the details and the end of the message', async () => {
    const body = { apiKey: samples.accountToken, keyType: 'api_token' }
    const wanted = { zone: 'example.com', ability: 'dns:edit' }
    const { body: found } = await check({ ...body, for: wanted }, '?details=true')
    expect(found).toEqual({
      isValid: true,
      message:
        'The Cloudflare account API token is valid and active; it is unknown whether it has dns:edit, which needs the permission Zone → DNS → Edit for example.com.',
      details: {
        provider: 'cloudflare',
        code: 'valid',
        credential: 'account_token',
        warnings: [],
        advice: {
          text: 'It never expires. A key with an expiry date is safer.',
          page: 'https://dash.cloudflare.com/profile/api-tokens',
        },
        capabilities: { abilities: ['zones:list'] },
        fitsPurpose: 'unknown',
        purpose: 'It is unknown whether it has dns:edit, which needs the permission Zone → DNS → Edit for example.com.',
        checkedAt: expect.any(String),
        cached: false,
      },
    })
  })

  test('the provider receives one kind of credential, no cookie, and nothing about the caller', async () => {
    await check({ apiKey: samples.oldUserToken, keyType: 'api_token' })
    const [{ headers, path: url } = { headers: {}, path: '' }] = simulator.received
    expect(headers.authorization).toBe(`Bearer ${samples.oldUserToken}`)
    expect(url).not.toContain(samples.oldUserToken)
    for (const name of ['cookie', 'x-auth-key', 'x-auth-email', 'x-forwarded-for'])
      expect(headers).not.toHaveProperty(name)
    expect(JSON.stringify(headers)).not.toContain(token)
  })
})

describe('400', () => {
  test('rejects an unknown provider, and a credential without its parts', async () => {
    for (const provider of ['nobody', 'imperva', 'internetbs', '__proto__', '../cloudflare'])
      expect((await check({ apiKey: 'x', keyType: 'api_token', provider })).body, provider).toMatchObject({
        status: 400,
        code: 'provider_unsupported',
        errors: [{ pointer: '/provider' }],
      })
  })
})

describe('400 — the purpose of a key', () => {
  test.each([
    [{ zone: 'not a host' }, '?details=true', '/for/zone'],
    [{ zone: 'example' }, '?details=true', '/for/zone'],
    [{ zone: `${'a.'.repeat(127)}com` }, '?details=true', '/for/zone'],
    [{ zone: '192.0.2.1' }, '?details=true', '/for/zone'],
    [{ zone: 'example.com', ability: 'dns:write' }, '?details=true', '/for/ability'],
    [{ zone: 'example.com', prove: 'refused_write' }, '?details=true', '/for/prove'],
    [{ ability: 'dns:edit', prove: 'refused_write' }, '?details=true', '/for/prove'],
    [{ zone: 'example.com', ability: 'dns:read', prove: 'refused_write' }, '?details=true', '/for/prove'],
    [{ zone: 'example.com', ability: 'dns:edit', prove: 'write' }, '?details=true', '/for/prove'],
    [{ zone: 'example.com', ability: 'dns:edit', prove: 'refused_write' }, '', '/for'],
    [{ zone: 'example.com', service: 'x' }, '?details=true', '/for/service'],
    [{}, '?details=true', '/for'],
    ['example.com', '?details=true', '/for'],
    [{ zone: 'example.com' }, '', '/for'],
    [{ zone: 'example.com' }, '?details=false', '/for'],
  ])('rejects %j%s at %s without a call', async (purpose, query, pointer) => {
    const answer = await check({ apiKey: samples.userToken, keyType: 'api_token', for: purpose }, query)
    expect(answer.body).toMatchObject({ status: 400, code: 'input_invalid', errors: [{ pointer }] })
    expect(simulator.received).toEqual([])
  })
})

describe('a credential with several parts', () => {
  const key = { provider: 'route53', keyType: 'api_key' }
  const accessKeyId = 'AKIAIOSFODNN7EXAMPLE'

  test('200 — is signed with its parts, which no response contains; 400 — a fault names its member', async () => {
    const alone = await serviceForTest(await route53ForTest())
    const { token: own } = await alone.person()
    const ask = (body: object) => alone.post(path, { token: own, body: { ...key, ...body } })
    const found = async (name: string) => (await ask({ apiKey: `route53-${name}`, parts: { accessKeyId } })).body

    expect(await found('valid')).toEqual({
      isValid: true,
      message: 'The AWS access key is valid and active; it can be used.',
    })
    expect(await found('wrong-secret')).toEqual({
      isValid: false,
      message: 'AWS does not accept the secret access key of this access key; copy it again or create a new one.',
    })
    expect(await found('clock')).toMatchObject({ status: 503, code: 'provider_clock_refused' })
    const faults = [
      [{}, '/parts/accessKeyId'],
      [{ accessKeyId, zone: 'x' }, '/parts/zone'],
      [{ accessKeyId: 7 }, '/parts/accessKeyId'],
      [{ accessKeyId: 'x'.repeat(4_097) }, '/parts/accessKeyId'],
      ['x', '/parts'],
    ] as const
    for (const [parts, pointer] of faults)
      expect((await ask({ apiKey: 'secret', parts })).body, pointer).toMatchObject({
        status: 400,
        code: 'input_invalid',
        errors: [{ pointer }],
      })
  })
})

describe('the names of a provider', () => {
  const ask = (service_: Service, own: string, provider: string) =>
    service_.post(`${path}?details=true`, {
      token: own,
      body: { provider, apiKey: samples.userToken, keyType: 'api_token' },
    })

  test('accepts the title, the name in another tool and any case, and returns the id', async () => {
    for (const provider of ['Cloudflare', 'CLOUDFLARE', 'cf', 'dns_cf', 'certbot-dns-cloudflare'])
      expect((await ask(service, token, provider)).body, provider).toMatchObject({
        isValid: true,
        details: { provider: 'cloudflare' },
      })
  })

  test('400 — rejects a name of several providers with their ids', async () => {
    const detail =
      'Several providers have this name: cloudns (ClouDNS) or googlecloud (Google Cloud); see GET /api/v1/providers for the supported providers.'
    expect((await ask(service, token, 'CloudDNS')).body).toMatchObject({
      status: 400,
      code: 'provider_unsupported',
      detail,
      errors: [{ pointer: '/provider', detail }],
    })
  })
})

describe('403', () => {
  test('returns nothing and makes no call without the permission', async () => {
    const alone = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: simulator.url } })
    const person = await alone.person()
    await alone.sql(`delete from role_grant where resource = 'provider_keys'`)
    const answer = await alone.post(path, {
      token: person.token,
      body: { apiKey: samples.userToken, keyType: 'api_token' },
    })
    expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_missing' })
    expect(simulator.received).toEqual([])
  })
})

describe('429', () => {
  test('limits the checks of a caller per minute over all nodes, and returns the number left', async () => {
    const env = { MUSTER_CLOUDFLARE_URL: simulator.url, MUSTER_KEY_CHECKS_PER_MINUTE: '3' }
    const one = await serviceForTest({ env })
    const two = await serviceForTest({ env, on: one.fresh })
    const { token: own } = await one.person()
    const ask = (node: Service, n: number) =>
      node.post(path, {
        token: own,
        body: { apiKey: `${samples.unknownUserToken.slice(0, -1)}${n}`, keyType: 'api_token' },
      })
    const answers = [await ask(one, 1), await ask(two, 2), await ask(one, 3)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers[2]?.headers).toMatchObject({
      'ratelimit-policy': '"key-checks";q=3;w=60',
      ratelimit: expect.stringMatching(/;r=0;/),
    })
    const over = await ask(two, 4)
    expect(problemOf(over)).toEqual({ status: 429, code: 'rate_limited' })
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('a caller who checks a key until the limit does not keep another caller from checking it', async () => {
    const one = await serviceForTest({
      env: { MUSTER_CLOUDFLARE_URL: simulator.url, MUSTER_KEY_CHECKS_PER_MINUTE: '3' },
    })
    const [first, second] = [await one.person(), await one.person()]
    const statusFor = async (person: { token: string }) =>
      (await one.post(path, { token: person.token, body: { apiKey: samples.userToken, keyType: 'api_token' } })).status
    const ofFirst = [await statusFor(first), await statusFor(first), await statusFor(first), await statusFor(first)]
    expect(ofFirst).toEqual([200, 200, 200, 429])
    expect([await statusFor(second), await statusFor(second), await statusFor(second)]).toEqual([200, 200, 200])
  })
})

describe('the audit log', () => {
  test('has every check with its outcome, including undetermined ones, and nothing about the credential', async () => {
    const one = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: simulator.url } })
    const { id, token: own } = await one.person()
    for (const apiKey of [samples.userToken, samples.disabled, faultToken('html_502')])
      await one.post(path, { token: own, body: { apiKey, keyType: 'api_token' } })
    const events = await one.sql<{ details: object; actor_id: string }>(
      `select actor_id, details from audit_event where action = 'provider_key.checked' order by at, id`,
    )
    expect(events.map(({ actor_id }) => actor_id)).toEqual([id, id, id])
    expect(events.map(({ details }) => details)).toEqual([
      { provider: 'cloudflare', keyType: 'api_token', outcome: 'valid' },
      { provider: 'cloudflare', keyType: 'api_token', outcome: 'disabled' },
      { provider: 'cloudflare', keyType: 'api_token', outcome: 'provider_answer_unexpected' },
    ])
  })

  test('names the provider that was called by its id, and an unknown one as unknown, never as the caller wrote it', async () => {
    const one = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: simulator.url } })
    const { token: own } = await one.person()
    const misplaced = samples.oldUserToken
    for (const provider of [undefined, 'CloudFlare', 'dns_cf', 'clouddns', misplaced])
      await one.post(path, {
        token: own,
        body: { apiKey: faultToken('html_502'), keyType: 'api_token', ...(provider && { provider }) },
      })
    await one.post(path, { token: own, body: { apiKey: 'x', keyType: 'api_key', provider: 'aws' } })
    const events = await one.sql<{ details: { provider: string; outcome: string } }>(
      `select details from audit_event where action = 'provider_key.checked' order by at, id`,
    )
    expect(events.map(({ details: { provider, outcome } }) => [provider, outcome])).toEqual([
      ['cloudflare', 'provider_answer_unexpected'],
      ['cloudflare', 'provider_answer_unexpected'],
      ['cloudflare', 'provider_answer_unexpected'],
      ['unknown', 'provider_unsupported'],
      ['unknown', 'provider_unsupported'],
      ['route53', 'input_invalid'],
    ])
    expect(JSON.stringify(await one.sql('select audit_event::text from audit_event'))).not.toContain(misplaced)
  })
})

describe('502, 503, 504: an undetermined result is never reported as invalid', () => {
  const faults = [
    ['html_502', 502, 'provider_answer_unexpected'],
    ['challenge', 502, 'provider_answer_unexpected'],
    ['truncated_json', 502, 'provider_answer_unexpected'],
    ['rate_limit_971', 503, 'provider_busy'],
    ['delay_headers', 504, 'provider_timeout'],
  ] as const

  test.each(faults)('%s → %d %s', async (fault, status, code) => {
    const alone = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: simulator.url } })
    const person = await alone.person()
    const answer = await alone.post(path, {
      token: person.token,
      body: { apiKey: faultToken(fault), keyType: 'api_token' },
    })
    expect(problemOf(answer)).toEqual({ status, code })
    expect(answer.text).not.toContain('isValid')
    if (status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('during a lockout makes no call: 503 with Retry-After for every key and caller', async () => {
    const alone = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: simulator.url } })
    const [one, other] = [await alone.person(), await alone.person()]
    await alone.post(path, { token: one.token, body: { apiKey: faultToken('lock_out'), keyType: 'api_token' } })
    expect(simulator.received).toHaveLength(1)
    for (const { token: own } of [one, other])
      for (const apiKey of [samples.userToken, samples.disabled, samples.oldAccountToken]) {
        const answer = await alone.post(path, { token: own, body: { apiKey, keyType: 'api_token' } })
        expect(problemOf(answer)).toEqual({ status: 503, code: 'provider_busy' })
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(200)
      }
    expect(simulator.received).toHaveLength(1)
  })

  test('an unreachable provider → 502, and the next check after its return succeeds', async () => {
    const gone = await startCloudflareSimulator()
    const alone = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: gone.url } })
    const { token: own } = await alone.person()
    const body = { apiKey: samples.userToken, keyType: 'api_token' }
    await gone.close()
    expect(problemOf(await alone.post(path, { token: own, body }))).toEqual({
      status: 502,
      code: 'provider_unreachable',
    })
    const back = await startCloudflareSimulator({ port: Number(new URL(gone.url).port) })
    expect((await alone.post(path, { token: own, body })).body).toMatchObject({ isValid: true })
    await back.close()
  })
})

test('1,000 identical parallel checks make one chain of calls', async () => {
  const body = { apiKey: samples.oldAccountToken, keyType: 'api_token' }
  const answers = await atOnce(1_000, body)
  expect(new Set(answers).size).toBe(1)
  expect(simulator.received).toHaveLength(3)
  // Validates one against the contract. The 1,000 were not validated, because the server limits their time.
  const { status, text } = await check(body)
  expect(answers[0]).toBe(`${status} ${text}`)
  expect(answers[0]).toMatch(/^200 {"isValid":true,/)
})

/**
 * Status and body of each. Pipelines twenty requests per connection: opening a thousand connections from the server's own process costs
 * more time than the requests, and the server allows 10 s per request.
 */
async function atOnce(count: number, body: object): Promise<string[]> {
  const dispatcher = new Agent({ connections: count / 20, pipelining: 20 })
  onTestFinished(() => dispatcher.destroy())
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const options = {
    method: 'POST',
    path,
    origin: service.url,
    headers,
    body: JSON.stringify(body),
    idempotent: true,
  } as const
  return Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await dispatcher.request(options)
      return `${answer.statusCode} ${await answer.body.text()}`
    }),
  )
}

testInProcess(
  '503 — MUSTER_PROVIDER_CALLS_PER_SECOND limits the calls of this node: two now, one a second later, and the others are rejected',
  async () => {
    const env = { MUSTER_CLOUDFLARE_URL: simulator.url, MUSTER_PROVIDER_CALLS_PER_SECOND: '1' }
    const slow = await serviceForTest({ env })
    const calledAtMs: number[] = []
    simulator.control.answer = () => {
      calledAtMs.push(Date.now())
      return undefined
    }
    const keys = Array.from({ length: 8 }, (_, number) => synthetic('cfut_', `Budget${number}`))
    // One user for each key: wrong keys use up the share of a user.
    const callers = await Promise.all(keys.map(async (apiKey) => ({ apiKey, token: (await slow.person()).token })))
    const beganAtMs = Date.now()
    const answers = await Promise.all(
      callers.map(({ apiKey, token: own }) => slow.post(path, { token: own, body: { apiKey, keyType: 'api_token' } })),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) expect(problemOf(answer)).toEqual({ status: 503, code: 'provider_busy' })
    expect(calledAtMs).toHaveLength(keys.length - refused.length)
    expect(calledAtMs.length).toBeGreaterThan(2)
    // On a busy machine the checks may start a second apart, and a timer may be 1 ms early.
    for (const [number, atMs] of calledAtMs.entries())
      expect(atMs - beganAtMs).toBeGreaterThanOrEqual((number - 1) * 1_000 - 5)
  },
)

describe('the credential', () => {
  const canaries = [
    'cfut_CanaryCanaryCanaryCanaryCanaryCanaryCanar0badcafe',
    'Kx7-canary+w8/Qe=R6t~5y"U4i<3o>2p&1aSd\\FgHjK', // spelt differently in a URL and in JSON
  ]
  test.each(canaries)('appears in no response, log line, table, metric or process title: %#', async (canary) => {
    const bodies = [
      { apiKey: canary, keyType: 'api_token' },
      { apiKey: canary, keyType: 'api_key', email: samples.email },
      { apiKey: canary, keyType: 'api_key' },
      { apiKey: canary, keyType: 'nonsense' },
      { apiKey: `${canary}\n`, keyType: 'api_token', provider: 'nobody' },
      { apiKey: canary, keyType: 'api_token', [canary.slice(0, 5)]: 1 },
    ]
    const told: string[] = []
    for (const body of bodies) told.push((await check(body, '?details=true')).text)
    simulator.control.answer = ({ headers }) => ({ status: 500, headers: {}, body: String(headers.authorization) })
    told.push((await check({ apiKey: `${canary}x`, keyType: 'api_token' })).text)
    simulator.control.answer = undefined
    const tables = await service.sql<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    for (const { name } of tables) told.push(JSON.stringify(await service.sql(`select t::text from ${name} t`)))
    const { status, text } = await service.get('/metrics', { token: metricsToken })
    expect({ status, hasCalls: text.includes('cloudflare') }).toEqual({ status: 200, hasCalls: true })
    const sinks = told.join('\n') + text + (await service.logged()) + process.title
    for (const form of formsOf(canary)) expect(sinks).not.toContain(form)
  })
})

/** The spellings that a search for the secret would miss. */
function formsOf(secret: string): string[] {
  const half = Math.floor(secret.length / 2)
  const bytes = Buffer.from(secret)
  return [
    secret,
    secret.slice(0, half),
    secret.slice(half),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    bytes.toString('base64').slice(0, 40),
    bytes.toString('base64url').slice(0, 40),
    bytes.toString('hex'),
    [...secret].reverse().join(''),
  ]
}
