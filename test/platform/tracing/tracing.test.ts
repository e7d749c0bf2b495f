import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from '../../../simulators/cloudflare/server.ts'
import { samples } from '../../../simulators/cloudflare/state.ts'
import { readConfig } from '../../../src/config.ts'
import { upkeepIfDue } from '../../../src/service/upkeep.ts'
import { openMailWork } from '../../../src/sign-in/open-issuer.ts'
import { mailSettings, startMailServer } from '../../support/mail-server.ts'
import { serviceForTest, startService } from '../../support/service.ts'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number; readonly message?: string }
}

/** A collector for OTLP over HTTP (opentelemetry-proto, ExportTraceServiceRequest as JSON). */
async function startCollector(status = 200) {
  const received: { path: string; headers: Record<string, unknown>; text: string }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    received.push({ path: request.url ?? '', headers: request.headers, text })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    text: () => received.map(({ text }) => text).join('\n'),
    spans: (): readonly Span[] =>
      received
        .filter(({ path }) => path === '/v1/traces')
        .flatMap(({ text }) =>
          JSON.parse(text).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
            scopeSpans.flatMap(({ spans }) => spans),
          ),
        ),
  }
}

const attributeOf = ({ attributes }: Pick<Span, 'attributes'>, name: string) => {
  const { value } = attributes.find(({ key }) => key === name) ?? {}
  return value?.stringValue ?? value?.intValue
}

const requestsIn = (spans: readonly Span[]) => spans.filter((span) => attributeOf(span, 'http.request.method'))

/** Calls the service, stops it so that it sends the remaining spans, and returns the spans. */
async function traced(
  collector: Awaited<ReturnType<typeof startCollector>>,
  env: Readonly<Record<string, string>>,
  work: (service: Awaited<ReturnType<typeof startService>>) => Promise<void>,
) {
  const service = await startService({ env: { MUSTER_OTLP_URL: collector.url, ...env } })
  try {
    await work(service)
  } finally {
    await service.stop()
  }
  return { spans: collector.spans(), logged: await service.logged() }
}

test('a request is one span with route, operation and status, and each of its statements is a child span with its name', async () => {
  const collector = await startCollector()
  let requestId: unknown
  const { spans, logged } = await traced(
    collector,
    { MUSTER_OTLP_HEADERS: 'x-team=accounts, authorization=Bearer abc' },
    async (service) => {
      const { token } = await service.person({ role: 'admin' })
      const answer = await service.get('/api/v1/admin/users?q=some.person', { token })
      requestId = answer.headers['x-request-id']
    },
  )
  const [request, ...others] = requestsIn(spans)
  expect(others).toEqual([])
  if (!request) throw new Error('there is no span of a request')
  expect(request.name).toBe('GET /api/v1/admin/users')
  expect(request.parentSpanId).toBeUndefined()
  const names = ['http.request.method', 'http.route', 'muster.operation', 'http.response.status_code']
  expect(names.map((name) => attributeOf(request, name))).toEqual(['GET', '/api/v1/admin/users', 'listUsers', 200])
  expect(attributeOf(request, 'muster.request_id')).toBe(requestId)
  const statements = spans.filter((span) => attributeOf(span, 'db.system.name') === 'postgresql')
  expect(statements.some(({ name }) => name.startsWith('users_'))).toBe(true)
  for (const { traceId, parentSpanId } of statements) {
    expect(traceId).toBe(request.traceId)
    expect(spans.map(({ spanId }) => spanId)).toContain(parentSpanId)
  }
  const [line] = logged.split('\n').filter((one) => one.includes(String(requestId)))
  expect(JSON.parse(String(line))).toMatchObject({ traceId: request.traceId, msg: 'request' })
  expect(collector.received[0]).toMatchObject({
    path: '/v1/traces',
    headers: { 'x-team': 'accounts', authorization: 'Bearer abc' },
  })
})

test('a provider call is a child span of the check, and no span contains a key, token, address or statement value', async () => {
  const collector = await startCollector()
  const simulator = await startCloudflareSimulator()
  onTestFinished(() => simulator.close())
  const secrets: string[] = [samples.userToken]
  const { spans } = await traced(collector, { MUSTER_CLOUDFLARE_URL: simulator.url }, async (service) => {
    const { id, token, email, password } = await service.person({ role: 'admin' })
    secrets.push(id, token, email, password)
    await service.post('/api/v1/provider/keys/validate', {
      token,
      body: { apiKey: samples.userToken, keyType: 'api_token' },
    })
    await service.post('/auth/sign-in', { body: { email, password } })
    await service.get(`/api/v1/admin/users/${id}?`, { token })
    await service.get(`/nowhere/${token}`, { token })
  })
  const check = requestsIn(spans).find(({ name }) => name === 'POST /api/v1/provider/keys/validate')
  const call = spans.find(({ name }) => name === 'call cloudflare')
  expect(call?.traceId).toBe(check?.traceId)
  expect(requestsIn(spans)).toHaveLength(4)
  for (const secret of secrets) expect(collector.text()).not.toContain(secret)
  expect(simulator.received.flatMap(({ headers }) => Object.keys(headers))).not.toContain('traceparent')
})

test('concurrent requests have separate traces', async () => {
  const collector = await startCollector()
  const { spans } = await traced(collector, {}, async (service) => {
    const people = await Promise.all(Array.from({ length: 10 }, () => service.person({ role: 'admin' })))
    await Promise.all(
      people.flatMap(({ id, token }) => [
        service.get(`/api/v1/admin/users/${id}`, { token }),
        service.get('/api/v1/admin/roles', { token }),
      ]),
    )
  })
  const requests = requestsIn(spans)
  expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(20)
  for (const { traceId, name } of requests) {
    const below = spans.filter((span) => span.traceId === traceId && attributeOf(span, 'db.system.name'))
    expect(below.map((span) => span.name).includes('roles_json')).toBe(name.endsWith('/roles'))
  }
})

test('the trace of a trusted proxy is continued, and that of any other client is ignored', async () => {
  const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`
  for (const [trusted, expected] of [
    ['127.0.0.0/8', ['ab'.repeat(16), 'cd'.repeat(8)]],
    ['10.0.0.0/8', undefined],
  ] as const) {
    const collector = await startCollector()
    const { spans } = await traced(collector, { MUSTER_TRUSTED_PROXIES: trusted }, async (service) => {
      for (const value of [traceparent, 'none', `00-${'0'.repeat(32)}-${'cd'.repeat(8)}-01`])
        await service.get('/livez', { headers: { traceparent: value } })
    })
    const [first, ...rest] = requestsIn(spans)
    if (expected) expect([first?.traceId, first?.parentSpanId]).toEqual(expected)
    else expect([first?.traceId === 'ab'.repeat(16), first?.parentSpanId]).toEqual([false, undefined])
    expect(rest.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined])
  }
})

test('a 5xx marks the span as failed with its code, and a 4xx does not', async () => {
  const collector = await startCollector()
  const { spans } = await traced(collector, { MUSTER_CLOUDFLARE_URL: 'http://127.0.0.1:1' }, async (service) => {
    const { token } = await service.person()
    const body = { apiKey: samples.userToken, keyType: 'api_token' }
    expect((await service.post('/api/v1/provider/keys/validate', { token, body })).status).toBe(502)
    expect((await service.get('/api/v1/admin/roles', { token })).status).toBe(403)
  })
  const [failed, refused] = requestsIn(spans)
  expect(failed?.status).toMatchObject({ code: 2, message: 'provider_unreachable' })
  expect(attributeOf(failed as Span, 'error.type')).toBe('provider_unreachable')
  expect(refused?.status.code ?? 0).toBe(0)
})

test('at 0 percent nothing is traced, and the log has the traces of trusted proxies only', async () => {
  const collector = await startCollector()
  const settings = { MUSTER_TRACES_PERCENT: '0', MUSTER_TRUSTED_PROXIES: '127.0.0.1' }
  const traceId = 'b'.repeat(32)
  const { spans, logged } = await traced(collector, settings, async (service) => {
    await service.get('/livez')
    await service.get('/readyz', { headers: { traceparent: `00-${traceId}-${'c'.repeat(16)}-00` } })
  })
  expect(spans).toEqual([])
  expect(logged.match(/"traceId":"[^"]*"/g)).toEqual([`"traceId":"${traceId}"`])
})

test('a collector that is down or rejects spans does not delay requests or the shutdown, and is logged once', async () => {
  const refusing = await startCollector(400)
  for (const url of ['http://127.0.0.1:1', refusing.url]) {
    const service = await startService({ env: { MUSTER_OTLP_URL: url } })
    for (let n = 0; n < 600; n += 1) expect((await service.get('/livez')).status).toBe(200)
    await service.stop()
    const lines = (await service.logged()).split('\n').filter((line) => /spans could not be sent/.test(line))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(String(lines[0]))).toMatchObject({ level: 40 })
  }
})

test('without a collector, no request has a trace', async () => {
  const service = await serviceForTest()
  await service.get('/livez')
  expect(service.parts.monitoring.tracing).toBeUndefined()
  expect(await service.logged()).not.toContain('traceId')
})

test('sends spans only, no metrics', async () => {
  const collector = await startCollector()
  await traced(collector, {}, (service) => service.get('/livez').then(() => undefined))
  expect([...new Set(collector.received.map(({ path }) => path))]).toEqual(['/v1/traces'])
})

test('each bucket of the request durations has the latest sampled trace as an exemplar', async () => {
  for (const [percent, isNamed] of [
    ['100', true],
    ['0', false],
  ] as const) {
    const collector = await startCollector()
    const settings = { MUSTER_METRICS_TOKEN: 'm'.repeat(20), MUSTER_TRACES_PERCENT: percent }
    await traced(collector, settings, async (service) => {
      await service.get('/livez')
      const answer = await service.get('/metrics', { token: settings.MUSTER_METRICS_TOKEN })
      expect(answer.headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
      expect(answer.text).toMatch(/# EOF\n$/)
      const named = /operation="isAlive".* # \{trace_id="([0-9a-f]{32})"\}/.exec(answer.text)
      expect(named !== null).toBe(isNamed)
      if (named) expect(await service.logged()).toContain(`"traceId":"${named[1]}"`)
    })
  }
})

test('a background job has its own trace, which is marked as failed if the job fails', async () => {
  const collector = await startCollector()
  const mailServer = await startMailServer()
  await mailServer.stop()
  const secrets: string[] = []
  const { spans } = await traced(collector, mailSettings(mailServer), async (service) => {
    const { parts } = service
    const { email, id } = await service.person()
    secrets.push(email, id)
    await service.post('/auth/recovery', { body: { email } })
    const config = readConfig({
      DATABASE_URL: service.fresh.url,
      MUSTER_ENCRYPTION_KEY: 'A'.repeat(43),
      ...mailSettings(mailServer),
    })
    if (!parts.issuer || !config.mail || !parts.monitoring.tracing) throw new Error('the service sends no mail')
    const { job: traceJob } = parts.monitoring.tracing
    const work = await openMailWork(parts.issuer, config.mail, { log: parts.log, traceJob })
    await work.run()
    work.close()
    const erasure = { ...parts.users.erasure, log: parts.log }
    await upkeepIfDue(parts.database, { erasure, retention: config.retention, log: parts.log, traceJob })
  })
  const mail = spans.find(({ name }) => name === 'mail recovery')
  expect([mail?.parentSpanId, mail?.status.code]).toEqual([undefined, 2])
  expect(attributeOf(mail as Span, 'error.type')).toBe('ESOCKET')
  const upkeep = spans.find(({ name }) => name === 'job upkeep')
  expect([upkeep?.parentSpanId, upkeep?.status.code ?? 0]).toEqual([undefined, 0])
  expect(spans.filter(({ traceId }) => traceId === upkeep?.traceId).length).toBeGreaterThan(3)
  for (const secret of secrets) expect(collector.text()).not.toContain(secret)
})
