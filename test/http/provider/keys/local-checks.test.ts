import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { providersForTest } from '../../../support/providers.ts'
import { serviceForTest } from '../../../support/service.ts'

const path = '/api/v1/provider/keys/validate'

async function startWithProviders() {
  const simulator = await providersForTest('akamai', 'azure', 'googlecloud', 'oraclecloud', 'route53')
  const service = await serviceForTest({ env: simulator.env })
  const { token } = await service.person()
  const check = async (body: object) =>
    (await service.post(path, { token, body: { keyType: 'api_key', ...body } })).body
  return { simulator, check }
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  return { pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), publicKey }
}

function fingerprintOf(key: KeyObject): string {
  const der = key.export({ type: 'spki', format: 'der' })
  return (createHash('md5').update(der).digest('hex').match(/../g) ?? []).join(':')
}

test('200 — Oracle Cloud: a fingerprint of another key is named without a call', async () => {
  const { simulator, check } = await startWithProviders()
  const [one, other] = [newKey(), newKey()]
  const oracle = (fingerprint: string) =>
    check({
      provider: 'oraclecloud',
      apiKey: one.pem,
      parts: {
        tenancyId: 'ocid1.tenancy.oc1..aaaaaaaatenancy',
        userId: 'ocid1.user.oc1..aaaaaaaauser',
        fingerprint,
        region: 'us-ashburn-1',
      },
    })
  expect(await oracle(fingerprintOf(other.publicKey))).toEqual({
    isValid: false,
    message:
      'The fingerprint and the private key of this Oracle Cloud API signing key do not belong together, so nothing was sent; copy both again.',
  })
  expect(simulator.received).toEqual([])
  await oracle(fingerprintOf(one.publicKey))
  expect(simulator.received).not.toEqual([])
})

test('200 — Google Cloud: the wrong member of a file is named without a call', async () => {
  const { simulator, check } = await startWithProviders()
  const { pem } = newKey()
  const file = {
    type: 'service_account',
    project_id: 'example-project',
    private_key_id: '0123456789abcdef0123456789abcdef01234567',
    private_key: pem,
    client_email: 'dns@example-project.iam.gserviceaccount.com',
  }
  const google = (members: object) =>
    check({ provider: 'googlecloud', apiKey: JSON.stringify({ ...file, ...members }) })
  const wrong = [
    [{ client_email: 'dns@example.com\nx: y' }, 'email address (client_email)'],
    [{ client_email: '../robot@example.com' }, 'email address (client_email)'],
    [{ client_email: '' }, 'email address (client_email)'],
    [{ private_key_id: 'a/b' }, 'key ID (private_key_id)'],
    [{ private_key_id: undefined }, 'key ID (private_key_id)'],
    [{ private_key: pem.slice(0, 200) }, 'private key'],
    [{ private_key: undefined }, 'private key'],
  ] as const
  for (const [members, part] of wrong)
    expect(await google(members), JSON.stringify(members)).toEqual({
      isValid: false,
      message: `The ${part} of this Google Cloud service account key is not well-formed, so nothing was sent; copy it again.`,
    })
  expect(await check({ provider: 'googlecloud', apiKey: pem })).toEqual({
    isValid: false,
    message:
      'This is a certificate or a key in PEM form, not the JSON file of the service account key, so it was not sent; copy the JSON file of the service account key.',
  })
  expect(simulator.received).toEqual([])
  await google({})
  expect(simulator.received).not.toEqual([])
})

test('200, 400 — Azure: an ID instead of another value is named without a call', async () => {
  const { simulator, check } = await startWithProviders()
  const tenantId = '11111111-2222-3333-4444-555555555555'
  const clientId = '66666666-7777-8888-9999-000000000000'
  const azure = (apiKey: string, parts: object) => check({ provider: 'azure', apiKey, parts })
  const message = (part: string, other: string) => ({
    isValid: false,
    message: `This is the ${part} of the Azure client secret, not the ${other}, so it was not sent; enter each value in its own field.`,
  })
  const secret = 'value of the client secret'
  expect(await azure(clientId, { tenantId, clientId })).toEqual(message('application (client) ID', secret))
  expect(await azure(tenantId, { tenantId, clientId })).toEqual(message('directory (tenant) ID', secret))
  expect(await azure('secret', { tenantId, clientId: tenantId })).toEqual(
    message('directory (tenant) ID', 'application (client) ID'),
  )
  for (const wrong of ['my-app', clientId.slice(1), `${clientId}x`])
    expect(await azure('secret', { tenantId, clientId: wrong }), wrong).toMatchObject({
      status: 400,
      code: 'input_invalid',
      errors: [{ pointer: '/parts/clientId', detail: 'Azure: the application (client) ID is not well-formed.' }],
    })
  expect(simulator.received).toEqual([])
})

test('200 — Azure: decides about another GUID as secret by the answer, because old secrets are GUIDs', async () => {
  const { simulator, check } = await startWithProviders()
  const parts = {
    tenantId: '11111111-2222-3333-4444-555555555555',
    clientId: '66666666-7777-8888-9999-000000000000',
  }
  await check({ provider: 'azure', apiKey: 'aaaaaaaa-2222-3333-4444-555555555555', parts })
  expect(simulator.received).not.toEqual([])
})

test('200, 400 — AWS: an access key ID of another account is named without a call', async () => {
  const { simulator, check } = await startWithProviders()
  const aws = (accessKeyId: string, accountId: string) =>
    check({ provider: 'route53', apiKey: 'secret', parts: { accessKeyId, accountId, sessionToken: 'token' } })
  // From the account 029608264753 (trufflesecurity/trufflehog pkg/detectors/aws @3ab759f).
  const published = 'ASIAQNZGKIQY56JQ7WML'
  expect(await aws(published, '123456789012')).toEqual({
    isValid: false,
    message:
      'The access key ID and the account ID of this AWS access key do not belong together, so nothing was sent; copy both again.',
  })
  for (const wrong of ['29608264753', '0296-0826-4753'])
    expect(await aws(published, wrong), wrong).toMatchObject({
      status: 400,
      errors: [{ pointer: '/parts/accountId', detail: 'AWS: the account ID is not well-formed.' }],
    })
  expect(simulator.received).toEqual([])
  await aws(published, '029608264753')
  expect(simulator.received).toHaveLength(1)
  // The older form has no account number.
  await aws('AKIAIOSFODNN7EXAMPLE', '123456789012')
  expect(simulator.received.length).toBeGreaterThan(1)
})

test('200, 503 — Akamai: each documented error says what is wrong', async () => {
  const { check } = await startWithProviders()
  const parts = { clientToken: 'akab-client', accessToken: 'akab-access', host: 'akab-host.luna.akamaiapis.net' }
  const akamai = (name: string) => check({ provider: 'akamai', apiKey: `akamai-${name}`, parts })
  expect(await akamai('wrong-secret')).toEqual({
    isValid: false,
    message: 'Akamai does not accept the client secret of this API client; copy it again or create a new one.',
  })
  expect(await akamai('unknown-client')).toEqual({
    isValid: false,
    message:
      'Akamai does not recognize the client token of this API client (wrong, expired, deleted or disabled); copy it again or create a new one.',
  })
  expect(await akamai('limited')).toEqual({
    isValid: true,
    message:
      'The Akamai API client is genuine, but it cannot list zones; add the permission DNS—Zone Record Management.',
  })
  expect(await akamai('clock')).toMatchObject({ status: 503, code: 'provider_clock_refused' })
})
