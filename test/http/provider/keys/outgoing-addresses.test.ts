import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from '../../../../simulators/cloudflare/server.ts'
import { samples } from '../../../../simulators/cloudflare/state.ts'
import { providersForTest } from '../../../support/providers.ts'
import { serviceForTest } from '../../../support/service.ts'

const path = '/api/v1/provider/keys/validate'
const MUSTER_OUTGOING_ADDRESSES = '203.0.113.7, 2001:db8::7'

async function start(more: Readonly<Record<string, string>> = {}) {
  const simulator = await providersForTest('namecheap', 'transip')
  const cloudflare = await startCloudflareSimulator()
  onTestFinished(() => cloudflare.close())
  const service = await serviceForTest({
    env: { ...simulator.env, MUSTER_CLOUDFLARE_URL: cloudflare.url, MUSTER_PROVIDER_CALLS_PER_SECOND: '1000', ...more },
  })
  const { token } = await service.person()
  const check = async (body: object, query = '') => (await service.post(path + query, { token, body })).body
  const namecheap = (name: string, parts: object) =>
    check({
      provider: 'namecheap',
      keyType: 'api_key',
      apiKey: `namecheap-${name}`,
      parts: { username: 'example', ...parts },
    })
  return { service, simulator, check, namecheap }
}

async function namecheapFields(service: { get(path: string): Promise<{ body: unknown }> }) {
  const { body } = await service.get('/api/v1/providers')
  // The trust boundary: the schema of the answer is tested elsewhere.
  const { providers, ...more } = body as { providers: { id: string; keyTypes: { fields: object[] }[] }[] }
  const [keyType] = providers.find(({ id }) => id === 'namecheap')?.keyTypes ?? []
  return { clientIp: keyType?.fields.find((field) => 'name' in field && field.name === 'clientIp'), more }
}

const clientIp = {
  name: 'clientIp',
  at: '/parts/clientIp',
  label: "address of this service on the account's allowlist",
  secret: false,
  multiline: false,
  pattern: '^\\d{1,3}(\\.\\d{1,3}){3}$',
  example: '203.0.113.7',
}

test('the configured addresses are in the list of providers, fill in a field, and are named in messages', async () => {
  const { service, check, namecheap } = await start({ MUSTER_OUTGOING_ADDRESSES })
  expect(await namecheapFields(service)).toEqual({
    clientIp: { ...clientIp, required: false, default: '203.0.113.7' },
    more: { outgoingAddresses: ['203.0.113.7', '2001:db8::7'] },
  })
  expect(await namecheap('valid', {})).toMatchObject({ isValid: true })
  expect(await namecheap('address', {})).toMatchObject({
    status: 503,
    code: 'provider_address_refused',
    detail:
      "Namecheap does not accept requests from this server's address, so the API key was not checked; add 203.0.113.7 or 2001:db8::7 to the account's allowlist.",
  })
  const filtered = { apiKey: samples.userFiltered, keyType: 'api_token' }
  expect(await check(filtered, '?details=true')).toMatchObject({
    isValid: true,
    message:
      'The Cloudflare API token is valid, but its IP filter does not allow requests from this service; it works here if it allows 203.0.113.7 or 2001:db8::7.',
  })
})

test('without the setting, messages and the log name the address that the provider refused', async () => {
  const { service, check, namecheap } = await start()
  expect(await namecheapFields(service)).toEqual({ clientIp: { ...clientIp, required: true }, more: {} })
  expect(await namecheap('valid', {})).toMatchObject({ status: 400, errors: [{ pointer: '/parts/clientIp' }] })
  // The recorded answer names this address.
  expect(await namecheap('address', { clientIp: '203.0.113.7' })).toMatchObject({
    status: 503,
    code: 'provider_address_refused',
    detail:
      "Namecheap does not accept requests from this server's address, so the API key was not checked; add 50.242.74.11 to the account's allowlist.",
  })
  const transip = { provider: 'transip', keyType: 'api_token', apiKey: 'transip-filtered' }
  expect(await check(transip)).toEqual({
    isValid: true,
    message:
      'The TransIP access token is valid, but its IP filter does not allow requests from this service; it works here if it allows 203.0.113.7.',
  })
  const filtered = { apiKey: samples.userFiltered, keyType: 'api_token' }
  expect(await check(filtered, '?details=true')).toMatchObject({
    message: expect.stringMatching(/; it works here if it allows 127\.0\.0\.1\.$/),
  })
  const log = await service.logged()
  const lines = log.split('\n').filter((line) => line.includes('"provider refuses the address of this service"'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, call: { provider: 'namecheap', refusedAddress: '50.242.74.11' } },
    { level: 40, call: { provider: 'transip', refusedAddress: '203.0.113.7' } },
    { level: 40, call: { provider: 'cloudflare', refusedAddress: '127.0.0.1' } },
  ])
})
