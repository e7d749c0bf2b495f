import { readFileSync } from 'node:fs'
import { parseItem } from 'structured-headers'
import { expect, test } from 'vitest'
import { openapiDocument } from '../../../src/api-docs/openapi.ts'
import { allContracts } from '../../../src/contracts.ts'
import { mount, operation } from '../../../src/identity/operation.ts'
import type { OperationContract } from '../../../src/platform/http/contract.ts'
import { newServer } from '../../../src/platform/http/new-server.ts'
import { dereferenced } from '../../../tools/release/contract-changes.js'
import { serviceForTest } from '../../support/service.ts'

const deprecated = { since: '2027-01-31', sunset: '2027-09-30', link: 'https://example.com/upgrading#old' }
const contract = {
  id: 'oldThing',
  method: 'GET',
  path: '/api/v1/old',
  tag: 'Operation',
  summary: 'Old',
  description: 'Old.',
  permission: 'caller',
  deprecated,
  answers: { 200: { description: 'Text', content: {} } },
  problems: [],
} as const satisfies OperationContract

test('every response of a deprecated operation has Deprecation, Sunset and a Link to the instructions, besides its own Link', async () => {
  const service = await serviceForTest()
  const app = newServer(
    {
      trustedProxies: [],
      untrustedProxies: { forwarded: () => undefined },
      connectionLimit: service.parts.server.connectionLimit,
      isDraining: () => false,
    },
    { log: service.parts.log, countRequest: () => undefined },
    () => [],
  )
  const answer = operation(contract, ({ reply }) =>
    reply.header('link', '<https://example.com/next>; rel="next"').send('old'),
  )
  mount(app, service.parts.access, [contract], [answer])
  const { token } = await service.person()
  const told = '<https://example.com/upgrading#old>; rel="deprecation"; type="text/html"'
  for (const [headers, status, link] of [
    [{ authorization: `Bearer ${token}` }, 200, `<https://example.com/next>; rel="next", ${told}`],
    [{}, 401, told],
  ] as const) {
    const { statusCode, headers: seen } = await app.inject({ url: contract.path, headers })
    expect(statusCode).toBe(status)
    expect(seen).toMatchObject({ link, sunset: 'Thu, 30 Sep 2027 00:00:00 GMT' })
    expect(parseItem(String(seen.deprecation))[0]).toEqual(new Date('2027-01-31'))
  }
})

test('the OpenAPI document has the deprecation and its headers', () => {
  const document = dereferenced(openapiDocument([contract], '1.0.0', { providers: [], messages: [] }))
  expect(document.paths).toMatchObject({
    [contract.path]: {
      get: {
        deprecated: true,
        'x-sunset': '2027-09-30',
        description: expect.stringContaining('Deprecated since 2027-01-31. It may be removed after 2027-09-30'),
        responses: { 200: { headers: { Deprecation: expect.anything(), Sunset: expect.anything() } } },
      },
    },
  })
})

test('every deprecation lasts at least six months, and docs/upgrading.md says what to call instead', () => {
  const page = readFileSync(new URL('../../../docs/upgrading.md', import.meta.url), 'utf8')
  const contracts: readonly OperationContract[] = allContracts
  for (const { id, path, deprecated: end } of contracts) {
    if (!end) continue
    const sixMonths = new Date(end.since)
    sixMonths.setMonth(sixMonths.getMonth() + 6)
    expect(Date.parse(end.sunset), id).toBeGreaterThanOrEqual(sixMonths.getTime())
    expect(page, id).toContain(path)
  }
})
