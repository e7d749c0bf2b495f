import { createServer, type IncomingMessage } from 'node:http'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fieldsOf, readProviders } from '../../engine/catalogue.ts'
import type { EngineOptions } from '../../engine/check.ts'
import { readInput } from '../../engine/check.ts'
import { digestOf, readCredential } from '../../engine/credential.ts'
import type { Provider } from '../../engine/provider.ts'
import type { KeyType } from '../../index.ts'
import { KeyCheckError } from '../../index.ts'
import { openForTest, resultOf, simulatorForTest, startMs } from './harness.ts'

const providers = await readProviders()
const accessKeyId = 'AKIAIOSFODNN7EXAMPLE'

function known(id: string): Provider {
  const found = providers.get(id)
  if (!found) throw new Error(`There is no provider ${id}`)
  return found
}

const route53 = () => known('route53')

function pointersOf(parts: Readonly<Record<string, string>>): unknown {
  try {
    readCredential(route53(), readInput({ keyType: 'api_key', apiKey: 'secret', parts }))
    return 'accepted'
  } catch (error) {
    if (!(error instanceof KeyCheckError)) throw error
    return { code: error.code, at: error.faults.map(({ at }) => at) }
  }
}

describe('400 — a credential part', () => {
  const at = (...pointers: string[]) => ({ code: 'input_invalid', at: pointers })
  test.each<[string, Record<string, string>, unknown]>([
    ['a missing part', {}, at('/parts/accessKeyId')],
    ['a blank part', { accessKeyId: ' ' }, at('/parts/accessKeyId')],
    ['an unknown part', { accessKeyId, region: 'x' }, at('/parts/region')],
    ['with the name of a member of every object', { accessKeyId, constructor: 'x' }, at('/parts/constructor')],
    ['a part that is not one of the options', { accessKeyId, partition: 'moon' }, at('/parts/partition')],
    ['with a line break inside', { accessKeyId: 'a\r\nx: y' }, at('/parts/accessKeyId')],
    ['a part that another part requires', { accessKeyId: 'ASIAIOSFODNN7EXAMPLE' }, at('/parts/sessionToken')],
    [
      'several wrong parts',
      { region: 'x', partition: 'moon' },
      at('/parts/region', '/parts/accessKeyId', '/parts/partition'),
    ],
  ])('%s is named by its member', (_, parts, expected) => {
    expect(pointersOf(parts)).toEqual(expected)
  })

  test('of an unusual form is sent: a pattern only warns', () => {
    expect(pointersOf({ accessKeyId: 'of-another-form' })).toBe('accepted')
  })

  test('is rejected for a credential without parts', async () => {
    const keyChecks = await opened()
    const check = keyChecks.check({ keyType: 'api_token', apiKey: 'x', parts: { zone: 'x' } })
    expect(await resultOf(check)).toEqual({ error: 'input_invalid' })
  })

  test('that is unknown is answered with the known names', () => {
    const read = (from: Provider, keyType: KeyType) => () =>
      readCredential(from, readInput({ keyType, apiKey: 'x', parts: { region: 'x' } }))
    const saying = (detail: string) =>
      expect.objectContaining({ faults: expect.arrayContaining([{ at: '/parts/region', detail }]) })
    expect(read(route53(), 'api_key')).toThrow(
      saying('AWS has no such part; its parts are accessKeyId, sessionToken, partition, accountId.'),
    )
    expect(read(known('vultr'), 'api_key')).toThrow(saying('A Vultr credential has no other parts.'))
  })
})

test.each(['x/../../common', '..', 'a?b', 'a b.c', '%2e%2e', 'common'])(
  '400 — the tenant of Azure becomes part of a path and must be an id or a domain: %s',
  async (tenantId) => {
    const simulator = await simulatorForTest()
    const keyChecks = await opened({ baseUrls: simulator.baseUrls })
    const parts = { tenantId, clientId: '66666666-7777-8888-9999-000000000000' }
    const check = keyChecks.check({ provider: 'azure', keyType: 'api_key', apiKey: 'secret', parts })
    expect(await resultOf(check)).toEqual({ error: 'input_invalid' })
    expect(simulator.received).toEqual([])
  },
)

test.each([
  ['no JSON', 'key'],
  ['the file of a user', JSON.stringify({ type: 'authorized_user', client_email: 'a@b.c', private_key_id: 'k' })],
  ['no type', '{}'],
])('a file that is not a service account key is invalid without a call: %s', async (_, file) => {
  const simulator = await simulatorForTest()
  const keyChecks = await opened({ baseUrls: simulator.baseUrls })
  const check = keyChecks.check({ provider: 'googlecloud', keyType: 'api_key', apiKey: file })
  expect(await resultOf(check)).toEqual({ outcome: 'invalid', code: 'malformed' })
  expect(simulator.received).toEqual([])
})

test('the cache key includes names and values of parts', () => {
  const keyOf = (parts: Record<string, string>) =>
    digestOf(
      readCredential(route53(), readInput({ keyType: 'api_key', apiKey: 's', parts })).credential,
      Buffer.alloc(32),
    )
  const keys = [
    keyOf({ accessKeyId: 'one' }),
    keyOf({ accessKeyId: 'two' }),
    keyOf({ accessKeyId: 'one', partition: 'aws-cn' }),
    keyOf({ accessKeyId: 'one', sessionToken: 'aws' }),
  ]
  expect(new Set(keys).size).toBe(4)
  expect(keyOf({ accessKeyId: ' one ', partition: 'aws' })).toBe(keys[0])
})

test('a check at another origin uses the path below the configured address', async () => {
  const simulator = await simulatorForTest()
  const keyChecks = await opened({ baseUrls: simulator.baseUrls })
  const parts = { accessKeyId, partition: 'aws-us-gov' }
  await resultOf(keyChecks.check({ provider: 'route53', keyType: 'api_key', apiKey: 's', parts }))
  expect(simulator.received.map(({ path }) => path)).toEqual([
    '/@aws-us-gov/?Action=GetCallerIdentity&Version=2011-06-15',
  ])
})

describe('a rejected clock', () => {
  test('is corrected once by the date of the answer, and the key gets its verdict', async () => {
    const aws = await startAws({ aheadMs: 20 * 60_000 })
    // The list of zones is signed with the corrected time, too. This server does not know it.
    expect(await aws.check()).toEqual({ outcome: 'valid', code: 'capabilities_unknown' })
    expect(aws.times).toEqual(['20261001T120000Z', '20261001T122000Z', '20261001T122000Z'])
  })

  test.each([
    ['the provider rejects the corrected time as well', { aheadMs: 20 * 60_000, isNeverSatisfied: true }, 2],
    ['the answer has a date of another year', { aheadMs: 400 * 86_400_000 }, 1],
  ])('never makes the key invalid: %s', async (_, clock, calls) => {
    const aws = await startAws(clock)
    expect(await aws.check()).toEqual({ outcome: 'undetermined', code: 'provider_clock_refused' })
    expect(aws.times).toHaveLength(calls)
  })
})

test('a canary in any part appears in no problem, verdict or log line', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const simulator = await simulatorForTest()
  const canaries = { accessKeyId: 'ASIAzx9canaryQ7w8eR6', sessionToken: 'Zx9-canary/Q7w8e+R6t5yU4i3o2p' }
  const secret = 'kEy9canaryQ7w8eR6t5yU4i3o2p1aSdFgHjKlZxC'
  const bodies: readonly unknown[] = [
    { Error: { Code: 'SignatureDoesNotMatch', Message: `${canaries.accessKeyId} ${canaries.sessionToken}` } },
    { Error: { Code: 'InvalidClientTokenId', Message: canaries.sessionToken } },
    `<ErrorResponse><Error><Code>${canaries.accessKeyId}</Code></Error></ErrorResponse>`,
    canaries.sessionToken,
  ]
  for (const [number, body] of bodies.entries()) {
    simulator.fault = () => ({ status: 403, body })
    const keyChecks = await opened({ baseUrls: simulator.baseUrls, log })
    const input = {
      provider: 'route53',
      keyType: 'api_key',
      apiKey: secret,
      parts: canaries,
      capabilities: true,
    } as const
    await keyChecks.check(input).then(
      (verdict) => log.info({ verdict, number }),
      (error: unknown) => log.error({ err: error, said: inspect(error, { depth: 20 }) }),
    )
  }
  const { credential } = readCredential(
    route53(),
    readInput({
      keyType: 'api_key',
      apiKey: secret,
      parts: canaries,
    }),
  )
  lines.push(inspect(credential, { depth: 20, showHidden: true }), JSON.stringify([...credential.parts]))
  expect(lines.length).toBeGreaterThan(8)
  for (const canary of [secret, ...Object.values(canaries)])
    for (const form of [canary, Buffer.from(canary).toString('base64').slice(0, -4), encodeURIComponent(canary)])
      expect(lines.join('\n')).not.toContain(form)
})

async function opened(options: EngineOptions = {}) {
  const keyChecks = await openForTest({ now: () => startMs, ...options })
  return keyChecks
}

/** AWS with a separate clock, which rejects signatures that differ by more than 15 minutes. */
async function startAws({ aheadMs, isNeverSatisfied = false }: { aheadMs: number; isNeverSatisfied?: boolean }) {
  const times: string[] = []
  const answerTo = (request: IncomingMessage) => {
    const time = String(request.headers['x-amz-date'])
    times.push(time)
    const sentMs = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    const isLate = Math.abs(sentMs - startMs - aheadMs) > 15 * 60_000
    const Arn = 'arn:aws:iam::123456789012:user/dns'
    const identity = { GetCallerIdentityResult: { Account: '123456789012', Arn } }
    return isLate || isNeverSatisfied
      ? { status: 403, body: { Error: { Code: 'SignatureDoesNotMatch', Message: `Signature expired: ${time} is` } } }
      : { status: 200, body: { GetCallerIdentityResponse: identity } }
  }
  const server = createServer((request, response) => {
    const { status, body } = answerTo(request)
    const date = new Date(startMs + aheadMs).toUTCString()
    response.writeHead(status, { 'content-type': 'application/json', date }).end(JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const keyChecks = await opened({ baseUrls: { route53: `http://127.0.0.1:${port}` } })
  const parts = { accessKeyId }
  const input = { provider: 'route53', keyType: 'api_key', apiKey: 'secret', parts } as const
  return { times, check: () => resultOf(keyChecks.check(input)) }
}

test('fields are in the order of a form: names, the key, secrets, optional parts', () => {
  const fields = fieldsOf({
    label: 'API key',
    keyLabel: 'secret',
    email: 'required',
    parts: {
      session: { label: 'session token', isSecret: true, isOptional: true, requiredWhen: { id: '^T' } },
      proof: { label: 'proof', isSecret: true },
      cloud: { label: 'cloud', isOptional: true, options: ['public', 'own'] },
      region: { label: 'region', options: ['north', 'south'] },
      id: { label: 'key ID', pattern: '^[A-Z]+$', example: 'ABC' },
      tenant: { label: 'tenant', mustMatch: '^[a-z]+$' },
    },
  })
  const at = (name: string, label: string) => ({ name, at: `/parts/${name}`, label, multiline: false })
  const known = { secret: false, required: true }
  const key = { name: 'apiKey', at: '/apiKey', label: 'secret', multiline: false }
  const email = { name: 'email', at: '/email', label: 'email address of the account', multiline: false }
  expect(fields).toEqual([
    { ...email, ...known },
    { ...at('region', 'region'), ...known, options: ['north', 'south'] },
    { ...at('id', 'key ID'), ...known, pattern: '^[A-Z]+$', example: 'ABC' },
    { ...at('tenant', 'tenant'), ...known, pattern: '^[a-z]+$' },
    { ...key, secret: true, required: true },
    { ...at('session', 'session token'), secret: true, required: false, requiredWhen: { id: '^T' } },
    { ...at('proof', 'proof'), secret: true, required: true },
    { ...at('cloud', 'cloud'), secret: false, required: false, options: ['public', 'own'], default: 'public' },
  ])
})
