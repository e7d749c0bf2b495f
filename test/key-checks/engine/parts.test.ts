import { createServer, type IncomingMessage } from 'node:http'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'

import { startProvidersSimulator } from '../../../simulators/providers/server.ts'
import { readProviders } from '../../../src/key-checks/engine/catalogue.ts'
import { createValidation, type ValidationOptions } from '../../../src/key-checks/engine/check.ts'
import { cacheKeyOf, readCredential } from '../../../src/key-checks/engine/credential.ts'
import { fieldsOf } from '../../../src/key-checks/engine/parts.ts'
import type { KeyType, Provider } from '../../../src/key-checks/engine/provider.ts'
import { Problem } from '../../../src/platform/problems.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { resultOf, startMs } from './harness.ts'

const providers = await readProviders()
const accessKeyId = 'AKIAIOSFODNN7EXAMPLE'

function partsOf(values: Readonly<Record<string, string>>): Record<string, Secret> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Secret(value)]))
}

function known(id: string): Provider {
  const found = providers.get(id)
  if (!found) throw new Error(`There is no provider ${id}`)
  return found
}

const route53 = () => known('route53')

function pointersOf(parts: Readonly<Record<string, string>>): unknown {
  try {
    readCredential(route53(), { keyType: 'api_key', apiKey: new Secret('secret'), parts: partsOf(parts) })
    return 'accepted'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { code: error.code, at: error.more.errors?.map((fault) => 'pointer' in fault && fault.pointer) }
  }
}

describe('400 — a part', () => {
  const at = (...pointers: string[]) => ({ code: 'input_invalid', at: pointers })
  test.each<[string, Record<string, string>, unknown]>([
    ['that is missing', {}, at('/parts/accessKeyId')],
    ['that is blank', { accessKeyId: ' ' }, at('/parts/accessKeyId')],
    ['that is not known', { accessKeyId, region: 'x' }, at('/parts/region')],
    ['with the name of a member of every object', { accessKeyId, constructor: 'x' }, at('/parts/constructor')],
    ['that is none of the options', { accessKeyId, partition: 'moon' }, at('/parts/partition')],
    ['with a line break inside', { accessKeyId: 'a\r\nx: y' }, at('/parts/accessKeyId')],
    ['that another part needs', { accessKeyId: 'ASIAIOSFODNN7EXAMPLE' }, at('/parts/sessionToken')],
    [
      'of several that are wrong',
      { region: 'x', partition: 'moon' },
      at('/parts/region', '/parts/accessKeyId', '/parts/partition'),
    ],
  ])('%s is named by its member', (_, parts, expected) => {
    expect(pointersOf(parts)).toEqual(expected)
  })

  test('of an unusual form is sent: a pattern warns and never decides', () => {
    expect(pointersOf({ accessKeyId: 'of-another-form' })).toBe('accepted')
  })

  test('beside a credential that has none', async () => {
    const validation = await opened()
    const check = validation.check({ keyType: 'api_token', apiKey: new Secret('x'), parts: partsOf({ zone: 'x' }) })
    expect(await resultOf(check)).toEqual({ problem: 'input_invalid' })
  })

  test('that is not known is answered with those that are', () => {
    const read = (from: Provider, keyType: KeyType) => () =>
      readCredential(from, { keyType, apiKey: new Secret('x'), parts: partsOf({ region: 'x' }) })
    const saying = (detail: string) =>
      expect.objectContaining({ more: { errors: expect.arrayContaining([{ pointer: '/parts/region', detail }]) } })
    expect(read(route53(), 'api_key')).toThrow(
      saying('AWS has no such part; it has accessKeyId, sessionToken, partition.'),
    )
    expect(read(known('vultr'), 'api_key')).toThrow(saying('The credential of Vultr has no further parts.'))
  })
})

test.each(['x/../../common', '..', 'a?b', 'a b.c', '%2e%2e', 'common'])(
  '400 — the tenant of Azure becomes a piece of a path, and is refused unless it is an id or a domain: %s',
  async (tenantId) => {
    const simulator = await startProvidersSimulator()
    onTestFinished(() => simulator.close())
    const validation = await opened({ baseUrls: simulator.baseUrls })
    const parts = partsOf({ tenantId, clientId: 'client' })
    const check = validation.check({ provider: 'azure', keyType: 'api_key', apiKey: new Secret('secret'), parts })
    expect(await resultOf(check)).toEqual({ problem: 'input_invalid' })
    expect(simulator.received).toEqual([])
  },
)

test.each([
  ['no JSON', 'key'],
  ['the file of a user', JSON.stringify({ type: 'authorized_user', client_email: 'a@b.c', private_key_id: 'k' })],
  ['no private key', JSON.stringify({ type: 'service_account', client_email: 'a@b.c', private_key_id: 'k' })],
])('a file that is no service account key is invalid without a call: %s', async (_, file) => {
  const simulator = await startProvidersSimulator()
  onTestFinished(() => simulator.close())
  const validation = await opened({ baseUrls: simulator.baseUrls })
  const check = validation.check({ provider: 'googlecloud', keyType: 'api_key', apiKey: new Secret(file) })
  expect(await resultOf(check)).toEqual({ isValid: false, code: 'malformed' })
  expect(simulator.received).toEqual([])
})

test('the cache key of a credential takes in names and values of its parts', () => {
  const keyOf = (parts: Record<string, string>) =>
    cacheKeyOf(
      readCredential(route53(), { keyType: 'api_key', apiKey: new Secret('s'), parts: partsOf(parts) }).credential,
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

test('a check of a further origin goes below the configured address', async () => {
  const simulator = await startProvidersSimulator()
  onTestFinished(() => simulator.close())
  const validation = await opened({ baseUrls: simulator.baseUrls })
  const parts = partsOf({ accessKeyId, partition: 'aws-us-gov' })
  await resultOf(validation.check({ provider: 'route53', keyType: 'api_key', apiKey: new Secret('s'), parts }))
  expect(simulator.received.map(({ path }) => path)).toEqual([
    '/@aws-us-gov/?Action=GetCallerIdentity&Version=2011-06-15',
  ])
})

describe('a clock that the provider refuses', () => {
  test('is corrected once by the date of the answer, and the key gets its verdict', async () => {
    const aws = await startAws({ aheadMs: 20 * 60_000 })
    expect(await aws.check()).toEqual({ isValid: true, code: 'valid' })
    expect(aws.times).toEqual(['20261001T120000Z', '20261001T122000Z'])
  })

  test.each([
    ['the provider refuses the corrected time as well', { aheadMs: 20 * 60_000, isNeverSatisfied: true }, 2],
    ['the answer has a date of another year', { aheadMs: 400 * 86_400_000 }, 1],
  ])('is never the fault of the key: %s', async (_, clock, calls) => {
    const aws = await startAws(clock)
    expect(await aws.check()).toEqual({ problem: 'provider_clock_refused' })
    expect(aws.times).toHaveLength(calls)
  })
})

test('a canary in any part is in no problem, no verdict and no log line', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const simulator = await startProvidersSimulator()
  onTestFinished(() => simulator.close())
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
    const validation = await opened({ baseUrls: simulator.baseUrls, log })
    const apiKey = new Secret(secret)
    const input = { provider: 'route53', keyType: 'api_key', apiKey, parts: partsOf(canaries), details: true } as const
    await validation.check(input).then(
      (verdict) => log.info({ verdict, number, input }),
      (error: unknown) => log.error({ err: error, said: inspect(error, { depth: 20 }), input }),
    )
  }
  const { credential } = readCredential(route53(), {
    keyType: 'api_key',
    apiKey: new Secret(secret),
    parts: partsOf(canaries),
  })
  lines.push(inspect(credential, { depth: 20, showHidden: true }), JSON.stringify([...credential.parts]))
  expect(lines.length).toBeGreaterThan(8)
  for (const canary of [secret, ...Object.values(canaries)])
    for (const form of [canary, Buffer.from(canary).toString('base64').slice(0, -4), encodeURIComponent(canary)])
      expect(lines.join('\n')).not.toContain(form)
})

async function opened(options: ValidationOptions = {}) {
  const validation = await createValidation({ now: () => startMs, ...options })
  onTestFinished(() => validation.close())
  return validation
}

/** AWS with a clock of its own, which refuses signatures that are more than 15 minutes away from it. */
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
  const validation = await opened({ baseUrls: { route53: `http://127.0.0.1:${port}` } })
  const parts = partsOf({ accessKeyId })
  const input = { provider: 'route53', keyType: 'api_key', apiKey: new Secret('secret'), parts } as const
  return { times, check: () => resultOf(validation.check(input)) }
}

test('what a credential is made of is listed as a person has it at hand: names, the key, secrets and what may be omitted', () => {
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
  const email = { name: 'email', at: '/email', label: 'e-mail address of the account', multiline: false }
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
