import { expect, test } from 'vitest'
import { providersForTest } from '../../../support/providers.ts'
import { serviceForTest } from '../../../support/service.ts'

const path = '/api/v1/provider/keys/validate'

async function start() {
  const simulator = await providersForTest('googlecloud', 'hetzner', 'vultr')
  const service = await serviceForTest({ env: simulator.env })
  const { token } = await service.person()
  const check = async (body: object) => (await service.post(path, { token, body })).body
  return { simulator, check }
}

test('200 — Hetzner: a rejected token of the form of the former DNS console is named as one, and an accepted one is valid', async () => {
  const { simulator, check } = await start()
  const hetzner = (apiKey: string) => check({ provider: 'hetzner', keyType: 'api_token', apiKey })
  const former = 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA'
  simulator.fault = () => ({
    status: 401,
    body: { error: { code: 'unauthorized', message: 'unable to authenticate' } },
  })
  expect(await hetzner(former)).toEqual({
    isValid: false,
    message:
      'Hetzner Cloud does not recognize this API token (wrong, rolled, expired or deleted); it looks like one of the former DNS console, which ended in May 2026, so create one in the Hetzner Console.',
  })
  expect(await hetzner(former.repeat(2))).toEqual({
    isValid: false,
    message:
      'Hetzner Cloud does not recognize this API token (wrong, rolled, expired or deleted); copy it again or create a new one.',
  })
  const zones = { zones: [], meta: { pagination: { total_entries: 0 } } }
  simulator.fault = () => ({ status: 200, body: zones })
  expect(await hetzner(former.toLowerCase())).toMatchObject({ isValid: true })
})

test('200, 400 — Google Domains: a token under its name is not sent, and the ID of the provider says that it has ended', async () => {
  const { simulator, check } = await start()
  const answer = {
    isValid: false,
    message:
      'This is a credential of Google Domains, a service that has ended, so it was not sent; create one where the zone is now.',
  }
  for (const apiKey of [
    'GOOGLE_DOMAINS_ACCESS_TOKEN=c2VjcmV0LXNlY3JldC1zZWNyZXQ=',
    'export GOOGLEDOMAINS_ACCESS_TOKEN="c2VjcmV0LXNlY3JldC1zZWNyZXQ="',
    'dns_google_domains_access_token = c2VjcmV0LXNlY3JldC1zZWNyZXQ=',
    'google_domains_access_token: c2VjcmV0LXNlY3JldC1zZWNyZXQ=',
  ]) {
    expect(await check({ provider: 'vultr', keyType: 'api_key', apiKey }), apiKey).toEqual(answer)
    expect(await check({ provider: 'googlecloud', keyType: 'api_key', apiKey }), apiKey).toEqual(answer)
  }
  expect(await check({ provider: 'googledomains', keyType: 'api_token', apiKey: 'x' })).toMatchObject({
    status: 400,
    code: 'provider_unsupported',
    detail:
      'Google Domains has ended, and its successor Squarespace has no API for DNS records; see GET /api/v1/providers for the supported providers.',
  })
  expect(simulator.received).toEqual([])
})
