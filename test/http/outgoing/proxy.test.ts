import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startCloudflareSimulator } from '../../../simulators/cloudflare/server.ts'
import { samples } from '../../../simulators/cloudflare/state.ts'
import { simulatedKey, startStripeSimulator } from '../../../simulators/stripe/server.ts'
import { freePort } from '../../support/free-port.ts'
import { answer, type Reaction, startHttp2Server } from '../../support/http2-server.ts'
import { issuerForTest, type TestIssuer } from '../../support/issuer.ts'
import { proxyForTest, type TestProxy } from '../../support/outgoing-proxy.ts'
import { type Service, serviceForTest } from '../../support/service.ts'
import { startUntrustedServer, trustUntrusted } from '../../support/untrusted-tls.ts'
import { nodeForTest, receiverEnv, receiverForTest, registerEndpoint } from '../../support/webhook-receiver.ts'

type Env = Readonly<Record<string, string>>

let proxy: TestProxy
beforeEach(async () => {
  proxy = await proxyForTest()
})

/** Host and port, with a name that only the proxy can resolve. */
const hidden = (url: string, name: string) => `${name}:${new URL(url).port}`

async function providerAt(env: Env = {}) {
  const simulator = await startCloudflareSimulator()
  onTestFinished(() => simulator.close())
  const target = hidden(simulator.url, 'cloudflare.invalid')
  const service = await start({ MUSTER_CLOUDFLARE_URL: `http://${target}`, ...env })
  const { token } = await service.person()
  const body = { apiKey: samples.userToken, keyType: 'api_token' }
  return { service, target, simulator, check: () => service.post('/api/v1/provider/keys/validate', { token, body }) }
}

function start(env: Env): Promise<Service> {
  return serviceForTest({ env: { MUSTER_OUTGOING_PROXY: proxy.url, ...env } })
}

async function listening(answer: (request: IncomingMessage) => string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(answer(request)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // The trust boundary to Node: a TCP server has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The log lines with this text. Asserts that the log has no password of the proxy. */
async function logLines(service: Service, text: string): Promise<unknown[]> {
  const log = await service.logged()
  const { password } = proxy
  const basic = Buffer.from(`operator:${password}`).toString('base64')
  for (const secret of [password, encodeURIComponent(password), basic]) expect(log).not.toContain(secret)
  const lines = log.split('\n').filter((line) => line.includes(text))
  return lines.map((line) => JSON.parse(line))
}

const issuerEntries = ({ url }: TestIssuer) =>
  JSON.stringify([{ issuer: url, algorithms: ['ES256'], audience: 'muster-api' }])
const allOf = (target: string) => new Set([target])

describe('through the proxy, by CONNECT and with its password, go', () => {
  test('calls to providers, by names that only the proxy can resolve', async () => {
    const { target, simulator, check } = await providerAt()
    expect(await check()).toMatchObject({ status: 200, body: { isValid: true } })
    expect(new Set(proxy.asked)).toEqual(allOf(target))
    const basic = `Basic ${Buffer.from(`operator:${proxy.password}`).toString('base64')}`
    expect(new Set(proxy.authorizations)).toEqual(new Set([basic]))
    expect(proxy.others).toEqual([])
    for (const { headers } of simulator.received) expect(headers).not.toHaveProperty('proxy-authorization')
  })

  test('discovery and keys of issuers', async () => {
    const issuer = await issuerForTest()
    const service = await start({ MUSTER_ISSUERS: issuerEntries(issuer) })
    expect((await service.get('/api/v1/user/data', { token: await issuer.mint() })).status).toBe(200)
    expect(issuer.asked.slice(0, 2)).toEqual(['/.well-known/openid-configuration', '/keys/jwks'])
    expect(proxy.asked.length).toBeGreaterThanOrEqual(2)
    expect(new Set(proxy.asked)).toEqual(allOf(new URL(issuer.url).host))
  })

  test('calls to Stripe', async () => {
    const { order, target } = await stripeAt()
    expect(await order()).toMatchObject({ status: 200 })
    expect(new Set(proxy.asked)).toEqual(allOf(target))
  })

  test('webhooks', async () => {
    const receiver = await receiverForTest()
    const service = await start(receiverEnv)
    await deliver(service, receiver.url)
    expect(receiver.received).toHaveLength(1)
    expect(proxy.asked).toEqual([new URL(receiver.url).host])
  })

  test('lookups of breached passwords', async () => {
    const { target, signUp } = await passwordsAt()
    expect(await signUp()).toMatchObject({ status: 400, body: { code: 'input_invalid' } })
    expect(proxy.asked).toEqual([target])
  })

  test('traces', async () => {
    const paths: (string | undefined)[] = []
    const url = await listening(({ url: path }) => {
      paths.push(path)
      return '{}'
    })
    const target = hidden(url, 'collector.invalid')
    const service = await start({ MUSTER_OTLP_URL: `http://${target}` })
    await service.get('/livez')
    await service.parts.monitoring.tracing?.close()
    expect(paths).toEqual(['/v1/traces'])
    expect(proxy.asked).toEqual([target])
  })

  test('calls over TLS, also to a proxy that speaks TLS, which sees only the name of the target', async () => {
    proxy = await proxyForTest({ isTls: true })
    onTestFinished(() => void vi.restoreAllMocks())
    const { url, received } = await startUntrustedServer()
    const target = `localhost:${new URL(url).port}`
    const service = await start({ MUSTER_CLOUDFLARE_URL: `https://${target}` })
    const { token } = await service.person()
    const body = { apiKey: samples.userToken, keyType: 'api_token' }
    trustUntrusted()
    await service.post('/api/v1/provider/keys/validate', { token, body })
    expect(received[0]).toMatch(/^GET \//)
    expect(new Set(proxy.asked)).toEqual(allOf(target))
  })
})

test('checks over HTTP/2 share one connection through the proxy', async () => {
  const yes: Reaction = (socket, stream) => void socket.write(answer(stream, 200, { domains: [], meta: { total: 0 } }))
  const server = await startHttp2Server(yes)
  onTestFinished(() => void vi.restoreAllMocks())
  onTestFinished(() => server.close())
  const service = await start({ MUSTER_PROVIDER_VULTR_URL: server.url })
  trustUntrusted()
  for (const apiKey of ['first', 'second', 'third']) {
    const { token } = await service.person()
    const body = { provider: 'vultr', keyType: 'api_key', apiKey: `${apiKey}-key-of-thirty-six-characters-00` }
    expect((await service.post('/api/v1/provider/keys/validate', { token, body })).status).toBe(200)
  }
  expect(server.seen.calls).toBeGreaterThanOrEqual(3)
  expect(proxy.asked).toEqual([new URL(server.url).host])
})

async function stripeAt() {
  const stripe = await startStripeSimulator()
  onTestFinished(() => stripe.close())
  const target = hidden(stripe.url, 'stripe.invalid')
  const service = await start({ MUSTER_STRIPE_URL: `http://${target}`, STRIPE_SECRET_KEY: simulatedKey })
  await service.sql(`insert into plan (id, name) values ('pro', 'Pro')`)
  await service.sql(`insert into plan_price values ('price_pro', 'pro')`)
  const { token } = await service.person()
  const urls = { successUrl: 'https://app.test/welcome', cancelUrl: 'https://app.test/plans' }
  const order = () => service.post('/api/v1/billing/checkout', { token, body: { priceId: 'price_pro', ...urls } })
  return { service, order, target }
}

async function passwordsAt() {
  const password = 'four grey herons in a row'
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const url = await listening(() => `${hash.slice(5)}:4`)
  const target = hidden(url, 'passwords.invalid')
  const service = await start({ MUSTER_PWNED_PASSWORDS_URL: `http://${target}/range`, MUSTER_SIGN_UP: 'open' })
  const body = { email: 'ada@example.com', password }
  return { service, target, signUp: () => service.post('/auth/sign-up', { body }) }
}

async function deliver(service: Service, url: string): Promise<unknown[]> {
  const { token } = await service.person({ role: 'admin' })
  const { id } = await registerEndpoint(service, token, { url, events: ['organization.created'] })
  await service.sql(`insert into organization (name) values ('Engines')`)
  await (await nodeForTest(service, { timeout: 15_000 })).deliver()
  return service.sql('select state, status, fault from webhook_delivery where endpoint_id = $1', [id])
}

/** What the proxy does, and how the log calls it. */
const failures = [
  ['answers 407', 407, 'PROXY_407'],
  ['answers 502', 502, 'PROXY_502'],
  ['answers 403 as if it were the target', 403, 'PROXY_403'],
  ['closes the connection', 'close', expect.stringMatching(/^PROXY_(?:FAILED|ECONNRESET)$/)],
  ['is not there', 'absent', 'PROXY_ECONNREFUSED'],
  ['never answers', 'silence', 'PROXY_TIMEOUT'],
] as const

async function failAs(behavior: (typeof failures)[number][1]): Promise<void> {
  if (behavior !== 'absent') proxy.behavior = behavior
  else {
    const name = `127.0.0.1:${await freePort()}`
    proxy = { ...proxy, name, url: proxy.url.replace(proxy.name, name) }
  }
}

describe.each(failures)('a proxy that %s', (_, behavior, code) => {
  beforeEach(() => failAs(behavior))

  test('says nothing about a key; the log names the proxy and the reason', async () => {
    const { service, check } = await providerAt()
    const isTimeout = behavior === 'silence'
    const answer = isTimeout ? [504, 'provider_timeout'] : [502, 'provider_unreachable']
    const { status, body, text } = Object(await check())
    expect([status, body.code]).toEqual(answer)
    expect(text).not.toContain('isValid')
    expect(text).not.toContain(proxy.name)
    const call = { provider: 'cloudflare', errorCode: code, phase: 'proxy', host: proxy.name }
    expect(await logLines(service, '"provider call failed"')).toMatchObject([{ call }])
  })
})

// All callers have the same tunnel, so two kinds of failure do for the others.
describe.each([
  ['answers 407', 407, 'PROXY_407'],
  ['never answers', 'silence', 'PROXY_TIMEOUT'],
] as const)('a proxy that %s', (_, behavior, code) => {
  beforeEach(() => failAs(behavior))

  test('does not make a token invalid: 503 issuer_unavailable', async () => {
    const issuer = await issuerForTest()
    const service = await start({ MUSTER_ISSUERS: issuerEntries(issuer) })
    const answer = await service.get('/api/v1/user/data', { token: await issuer.mint() })
    expect(answer).toMatchObject({ status: 503, body: { code: 'issuer_unavailable' } })
    expect(issuer.asked).toEqual([])
    const [line] = await logLines(service, 'cannot fetch the keys of an issuer')
    expect(line).toMatchObject({ err: { code, message: `no connection through the proxy ${proxy.name}` } })
  })

  test('makes Stripe unavailable: 503 processor_unavailable', async () => {
    const { service, order } = await stripeAt()
    expect(await order()).toMatchObject({ status: 503, body: { code: 'processor_unavailable' } })
    const [line] = await logLines(service, 'a call to Stripe failed')
    expect(line).toMatchObject({ type: 'StripeConnectionError', proxy: proxy.name, proxyFault: code })
  })

  test('makes a webhook wait for its next attempt', async () => {
    const receiver = await receiverForTest()
    const service = await start(receiverEnv)
    expect(await deliver(service, receiver.url)).toEqual([{ state: 'pending', status: null, fault: code }])
    expect(await logLines(service, 'webhook endpoint is failing')).toMatchObject([{ fault: code, proxy: proxy.name }])
  })

  test('leaves a new password unchecked, as any failed lookup does', async () => {
    const { service, signUp } = await passwordsAt()
    expect(await signUp()).toMatchObject({ status: 201 })
    const [line] = await logLines(service, 'lookup at MUSTER_PWNED_PASSWORDS_URL failed')
    expect(line).toMatchObject({ err: { code, message: `no connection through the proxy ${proxy.name}` } })
  })

  test('loses traces, and the log says so', async () => {
    const service = await start({ MUSTER_OTLP_URL: 'http://collector.invalid:4318' })
    await service.get('/livez')
    await service.parts.monitoring.tracing?.close()
    const lines = () => logLines(service, 'spans could not be sent: ')
    const fault = { cause: code, proxy: proxy.name, proxyFault: code }
    await expect.poll(lines, { timeout: 15_000 }).toMatchObject([fault])
  })
})

describe('which calls go through a proxy', () => {
  test('an issuer in NO_PROXY is called directly, also if the proxy cannot reach it', async () => {
    proxy.behavior = 502
    const issuer = await issuerForTest()
    const service = await start({ MUSTER_ISSUERS: issuerEntries(issuer), NO_PROXY: new URL(issuer.url).host })
    expect((await service.get('/api/v1/user/data', { token: await issuer.mint() })).status).toBe(200)
    expect(proxy.asked).toEqual([])
  })

  test('HTTP_PROXY applies to http, in either case; NO_PROXY exempts hosts; an empty MUSTER_OUTGOING_PROXY turns both off', async () => {
    const through = async (env: Env) => {
      const before = proxy.asked.length
      const simulator = await startCloudflareSimulator()
      onTestFinished(() => simulator.close())
      const service = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: simulator.url, ...env } })
      const { token } = await service.person()
      const body = { apiKey: samples.userToken, keyType: 'api_token' }
      const answer = await service.post('/api/v1/provider/keys/validate', { token, body })
      expect(answer).toMatchObject({ status: 200, body: { isValid: true } })
      return proxy.asked.length > before
    }
    const variable = { HTTP_PROXY: proxy.url }
    expect(await through(variable)).toBe(true)
    expect(await through({ http_proxy: proxy.url })).toBe(true)
    expect(await through({ HTTPS_PROXY: proxy.url })).toBe(false)
    expect(await through({ ...variable, NO_PROXY: 'other.example, 127.0.0.1' })).toBe(false)
    expect(await through({ ...variable, MUSTER_OUTGOING_PROXY: '' })).toBe(false)
    expect(await through({ HTTP_PROXY: 'http://127.0.0.1:1', MUSTER_OUTGOING_PROXY: proxy.url })).toBe(true)
  })

  test('a webhook to a private address is refused before the proxy gets its name', async () => {
    const service = await start({ MUSTER_WEBHOOK_LOOPBACK: 'false' })
    expect(await deliver(service, 'https://localhost:9/hook')).toEqual([
      { state: 'pending', status: null, fault: 'ADDRESS_NOT_ALLOWED' },
    ])
    expect(proxy.asked).toEqual([])
  })

  test('a webhook to a name that this machine cannot resolve is not sent, because its address cannot be checked', async () => {
    const service = await start({})
    const [delivery] = await deliver(service, 'https://receiver.invalid/hook')
    expect(delivery).toMatchObject({ state: 'pending', fault: expect.stringMatching(/^(?:ENOTFOUND|EAI_AGAIN)$/) })
    expect(proxy.asked).toEqual([])
  })

  test('an old proxy may answer HTTP/1.0, or any other 2xx', async () => {
    for (const statusLine of ['HTTP/1.0 200 Connection established', 'HTTP/1.1 204 No Content']) {
      proxy.statusLine = statusLine
      const { check } = await providerAt()
      expect(await check(), statusLine).toMatchObject({ status: 200, body: { isValid: true } })
    }
  })
})
