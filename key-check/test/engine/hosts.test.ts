import dns from 'node:dns'
import { isIP } from 'node:net'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { AnsweredCall, KeyChecks } from '../../index.ts'
import { openForTest, resultOf } from './harness.ts'

let lookups: string[]
/** The address that every name resolves to; if undefined, the lookup fails with the code. */
let address: string | undefined
let code: string

beforeEach(() => {
  lookups = []
  address = undefined
  code = 'ENOTFOUND'
  // The trust boundary to Node: its lookup has six overloads, and the engine uses this one.
  const lookup = ((host: string, _: unknown, done: (error: Error | null, found: dns.LookupAddress[]) => void) => {
    lookups.push(host)
    if (address === undefined) done(Object.assign(new Error('no such host'), { code }), [])
    else done(null, [{ address, family: isIP(address) }])
  }) as unknown as typeof dns.lookup
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(lookup)
  onTestFinished(() => spy.mockRestore())
})

function checkAkamai(keyChecks: KeyChecks, host: string, secret = 'secret') {
  const parts = { clientToken: 'c', accessToken: 'a', host: host }
  return resultOf(keyChecks.check({ provider: 'akamai', keyType: 'api_key', apiKey: secret, parts }))
}

test("a customer's host is called only below the provider's domain", async () => {
  const keyChecks = await openForTest()
  expect(await checkAkamai(keyChecks, 'akab-one.luna.akamaiapis.net')).toEqual({
    outcome: 'undetermined',
    code: 'provider_unreachable',
  })
  const refused = [
    'stranger.example',
    'stranger.example#.luna.akamaiapis.net',
    'stranger.example/.luna.akamaiapis.net',
    'a.b.luna.akamaiapis.net',
    'user@luna.akamaiapis.net',
    '-a.luna.akamaiapis.net',
    'akab-one.luna.akamaiapis.net.stranger.example',
    'akab-one.luna.akamaiapis.net:8443',
  ]
  for (const host of refused) expect(await checkAkamai(keyChecks, host)).toEqual({ error: 'input_invalid' })
  expect(lookups).toEqual(['akab-one.luna.akamaiapis.net'])
})

test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1'])(
  "a customer's host that resolves to %s is not called: only the operator may configure such an address",
  async (inside) => {
    address = inside
    const codes: string[] = []
    const onAnswer = ({ answer }: AnsweredCall) => codes.push(answer.kind === 'failure' ? answer.code : 'answer')
    const keyChecks = await openForTest({ limits: { connectTimeoutMs: 100 }, onAnswer })
    const outcome = await checkAkamai(keyChecks, 'akab-inside.luna.akamaiapis.net')
    expect(outcome).toEqual({ outcome: 'undetermined', code: 'provider_unreachable' })
    expect(new Set(codes)).toEqual(new Set(['ADDRESS_NOT_ALLOWED']))
  },
)

test('unknown hosts are not failures of the provider and do not stop other checks', async () => {
  const keyChecks = await openForTest()
  for (let call = 0; call < 30; call += 1) await checkAkamai(keyChecks, `akab-${call}.luna.akamaiapis.net`)
  expect(lookups).toHaveLength(30)
})

test("a name server that does not answer counts as a failure, even for customers' hosts", async () => {
  code = 'EAI_AGAIN'
  const keyChecks = await openForTest()
  for (let call = 0; call < 30; call += 1) await checkAkamai(keyChecks, `akab-${call}.luna.akamaiapis.net`)
  // Each of ten checks makes two tries.
  expect(lookups).toHaveLength(20)
})

test.each([
  ['EAI_AGAIN', 2],
  ['EHOSTUNREACH', 2],
  ['ENETUNREACH', 2],
  ['ENOTFOUND', 1],
  ['EACCES', 1],
])('a call that fails with %s is made %i times', async (failure, calls) => {
  code = failure
  expect(await checkAkamai(await openForTest(), 'akab-one.luna.akamaiapis.net')).toEqual({
    outcome: 'undetermined',
    code: 'provider_unreachable',
  })
  expect(lookups).toHaveLength(calls)
})

test("if the provider's own host is not found, the breaker opens and no more calls are made", async () => {
  const keyChecks = await openForTest()
  for (let call = 0; call < 30; call += 1)
    await resultOf(keyChecks.check({ provider: 'vultr', keyType: 'api_key', apiKey: `key-${call}` }))
  expect(lookups).toHaveLength(20)
})

test('a self-hosted provider is listed only if its address is configured', async () => {
  const ids = (keyChecks: KeyChecks) => keyChecks.providers().map(({ id }) => id)
  expect(ids(await openForTest())).not.toContain('powerdns')
  const keyChecks = await openForTest({ baseUrls: { powerdns: 'https://ns.example' } })
  expect(ids(keyChecks)).toContain('powerdns')
  const check = keyChecks.check({ provider: 'powerdns', keyType: 'api_key', apiKey: 'k' })
  expect(await resultOf(check)).toEqual({ outcome: 'undetermined', code: 'provider_unreachable' })
  expect(lookups).toEqual(['ns.example'])
})
