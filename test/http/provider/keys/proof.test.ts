import { expect, test, vi } from 'vitest'
import { providersForTest } from '../../../support/providers.ts'
import { serviceForTest } from '../../../support/service.ts'

const path = '/api/v1/provider/keys/validate'
const plain = { zone: 'example.tk', ability: 'dns:edit' }
const proving = { ...plain, prove: 'refused_write' }
const bodyFor = (name: string, purpose: object) => ({
  provider: 'route53',
  keyType: 'api_key',
  apiKey: `route53-${name}`,
  parts: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
  for: purpose,
})

async function start(env: Readonly<Record<string, string>> = {}) {
  const simulator = await providersForTest('route53', 'hetzner')
  const service = await serviceForTest({ env: { ...simulator.env, ...env } })
  const { token } = await service.person()
  const send = async (body: object, query = '?details=true') => {
    const answer = await service.post(path + query, { token, body })
    return { status: answer.status, body: answer.body }
  }
  const check = (name: string, purpose: object) => send(bodyFor(name, purpose))
  const writes = () => simulator.received.filter(({ method }) => method === 'POST').length
  const audited = async () => {
    const events = await service.sql<{ details: object }>(
      `select details from audit_event where action = 'provider_key.checked' order by at, id`,
    )
    return events.map(({ details }) => details)
  }
  return { simulator, service, token, send, check, writes, audited }
}

const details = { provider: 'route53', code: 'valid', credential: 'api_key', warnings: [], cached: false }
const shown = { ...details, checkedAt: expect.any(String) }
const read = ['zones:list', 'dns:read']
const editable = {
  isValid: true,
  message: 'The AWS access key is valid and active; it can be used.',
  details: {
    ...shown,
    capabilities: { abilities: [...read, 'dns:edit'] },
    fitsPurpose: 'yes',
    purpose: 'It has dns:edit for example.tk.',
  },
}
const unknown = {
  isValid: true,
  message:
    'The AWS access key is valid and active; it is unknown whether it has dns:edit, which needs the permission route53:ChangeResourceRecordSets for example.tk.',
  details: {
    ...shown,
    capabilities: { abilities: read },
    fitsPurpose: 'unknown',
    purpose:
      'It is unknown whether it has dns:edit, which needs the permission route53:ChangeResourceRecordSets for example.tk.',
  },
}

test('a proof shows whether an AWS key may edit a zone, and the audit log says that it was sent', async () => {
  const { check, writes, audited } = await start()
  expect(await check('editable', plain)).toEqual({ status: 200, body: unknown })
  expect(writes()).toBe(0)
  expect(await check('editable', proving)).toEqual({ status: 200, body: editable })
  expect(await check('read-only', proving)).toEqual({
    status: 200,
    body: {
      isValid: true,
      message:
        'The AWS access key is valid and active; it lacks dns:edit: add the permission route53:ChangeResourceRecordSets for example.tk.',
      details: {
        ...shown,
        capabilities: { abilities: read, lacks: ['dns:edit'], missing: ['route53:ChangeResourceRecordSets'] },
        fitsPurpose: 'no',
        purpose: 'It lacks dns:edit: add the permission route53:ChangeResourceRecordSets for example.tk.',
      },
    },
  })
  expect((await check('editable', proving)).body).toMatchObject({ details: { fitsPurpose: 'yes', cached: true } })
  expect(writes()).toBe(2)
  const event = { provider: 'route53', keyType: 'api_key', outcome: 'valid' }
  expect(await audited()).toEqual([event, { ...event, isProofSent: true }, { ...event, isProofSent: true }, event])
})

const faults: readonly [string, 'reset' | 'silence' | { status: number; body: string }][] = [
  ['a 500', { status: 500, body: 'Internal' }],
  ['a reset', 'reset'],
  ['silence', 'silence'],
]

test.each(faults)('a write that fails leaves the verdict, is sent once and is audited: %s', async (_, fault) => {
  const { simulator, check, writes, audited } = await start()
  simulator.fault = ({ method }) => (method === 'POST' ? fault : undefined)
  expect(await check('editable', proving)).toEqual({ status: 200, body: unknown })
  expect(writes()).toBe(1)
  expect(await audited()).toEqual([{ provider: 'route53', keyType: 'api_key', outcome: 'valid', isProofSent: true }])
})

test('a provider without a known proof gets no write, and the answer is unknown', async () => {
  const { simulator, send, audited } = await start()
  const key = { provider: 'hetzner', keyType: 'api_token', apiKey: 'hetzner-valid' }
  const answer = await send({ ...key, for: { ...proving, zone: 'example.de' } })
  expect(answer).toMatchObject({ status: 200, body: { isValid: true, details: { fitsPurpose: 'unknown' } } })
  expect(simulator.received.filter(({ method }) => method !== 'GET')).toEqual([])
  expect(await audited()).toEqual([{ provider: 'hetzner', keyType: 'api_token', outcome: 'valid' }])
})

test('with MUSTER_KEY_CHECK_PROOFS=false a request for a proof is a 400 that names the member', async () => {
  const { check, simulator } = await start({ MUSTER_KEY_CHECK_PROOFS: 'false' })
  expect(await check('editable', proving)).toMatchObject({
    status: 400,
    body: {
      code: 'input_invalid',
      errors: [{ pointer: '/for/prove', detail: 'Proofs are switched off here: omit this member.' }],
    },
  })
  expect(simulator.received).toEqual([])
  expect(await check('editable', plain)).toEqual({ status: 200, body: unknown })
})

test('the audit log has the write of a caller who disconnected', async () => {
  const { simulator, token, service, writes, audited } = await start()
  const client = new AbortController()
  simulator.fault = ({ method }) => {
    if (method !== 'POST') return undefined
    client.abort()
    return 'silence'
  }
  const sent = fetch(`${service.url}${path}?details=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(bodyFor('editable', proving)),
    signal: client.signal,
  })
  await expect(sent).rejects.toThrow()
  await vi.waitFor(async () => expect(await audited()).toHaveLength(1), { timeout: 15_000 })
  expect([writes(), await audited()]).toEqual([
    1,
    [{ provider: 'route53', keyType: 'api_key', outcome: 'valid', isProofSent: true }],
  ])
})
