import { expect, test } from 'vitest'
import type { EngineOptions } from '../../engine/check.ts'
import { sigV4 } from '../../engine/signatures.ts'
import { type KeyCheck, KeyCheckError, type Purpose } from '../../index.ts'
import type { Sent } from '../../simulator/recording.ts'
import { hostedZone, route53Xml } from '../../simulator/route53.ts'
import type { Fault } from '../../simulator/server.ts'
import { simulatorForTest, startMs } from '../engine/harness.ts'
import { open, providers } from './recorded-check.ts'

/** The write that cannot succeed, by which a check finds out whether an AWS key may edit records. */

const plain = { zone: 'example.tk', ability: 'dns:edit' } as const
const proving = { ...plain, prove: 'refused_write' } as const

async function start(options: EngineOptions = {}) {
  const simulator = await simulatorForTest()
  const writes: Sent[] = []
  const faults: { ofWrite?: ReturnType<Fault>; of?: Fault } = {}
  simulator.fault = (sent) => {
    if (sent.method !== 'POST') return faults.of?.(sent)
    writes.push(sent)
    return faults.ofWrite
  }
  const keyChecks = await open(simulator, options)
  const check = async (name: string, purpose: Purpose | undefined, more: Partial<KeyCheck> = {}) => {
    const parts = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }
    const input = { provider: 'route53', keyType: 'api_key', apiKey: `route53-${name}`, parts, for: purpose } as const
    const result = await keyChecks.check({ ...input, ...more })
    if (result.outcome === 'undetermined') throw new Error(result.message)
    const { outcome, message, isProofSent = false, details } = result
    const { abilities, lacks } = details.capabilities ?? {}
    return { outcome, message, isProofSent, fits: details.fitsPurpose, abilities, lacks }
  }
  return { simulator, writes, faults, check }
}

const read = ['zones:list', 'dns:read']
const valid = 'The AWS access key is valid and active; '
const unknown = {
  outcome: 'valid',
  message: `${valid}it is unknown whether it has dns:edit, which needs the permission route53:ChangeResourceRecordSets for example.tk.`,
  fits: 'unknown',
  abilities: read,
  lacks: undefined,
}

test('a proof shows that a key may edit the zone, or which permission it lacks', async () => {
  const { check, writes } = await start()
  expect(await check('editable', proving)).toEqual({
    outcome: 'valid',
    message: `${valid}it can be used.`,
    isProofSent: true,
    fits: 'yes',
    abilities: [...read, 'dns:edit'],
    lacks: undefined,
  })
  expect(await check('read-only', proving)).toEqual({
    outcome: 'valid',
    message: `${valid}it lacks dns:edit: add the permission route53:ChangeResourceRecordSets for example.tk.`,
    isProofSent: true,
    fits: 'no',
    abilities: read,
    lacks: ['dns:edit'],
  })
  expect(await check('invalid-input', proving)).toEqual({ ...unknown, isProofSent: true })
  expect(writes.map(({ path }) => path)).toEqual(
    Array(3).fill('/@dns/2013-04-01/hostedzone/Z040120927RX9CM00XXXX/rrset/'),
  )
})

test('a check that asks for no proof only reads, with a purpose, with details and without', async () => {
  const { check, simulator } = await start()
  expect(await check('editable', plain)).toEqual({ ...unknown, isProofSent: false })
  for (const name of ['read-only', 'editable-list-of-messages'])
    for (const more of [{ for: plain }, { capabilities: true }, {}])
      await check(name, undefined, { ...more, fresh: true })
  expect(simulator.received.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('only AWS gets a write: every other provider gets the calls of a check without a proof', async () => {
  const provers = [...providers.values()].filter(
    ({ abilities }) => typeof abilities === 'object' && 'proof' in abilities,
  )
  expect(provers.map(({ id }) => id)).toEqual(['route53'])
  for (const [provider, zone] of [
    ['hetzner', 'example.de'],
    ['digitalocean', 'example.com'],
  ] as const) {
    const { check, simulator } = await start()
    const more = { provider, keyType: 'api_token', apiKey: `${provider}-valid`, parts: {} } as const
    const { fits, isProofSent } = await check('valid', { ...proving, zone }, more)
    expect({ fits, isProofSent }).toEqual({ fits: 'unknown', isProofSent: false })
    expect(simulator.received.filter(({ method }) => method !== 'GET')).toEqual([])
  }
})

const failures: readonly [string, ReturnType<Fault>][] = [
  ['a 500', { status: 500, body: 'Internal' }],
  ['a 503', { status: 503, headers: { 'retry-after': '1' }, body: '' }],
  ['a 429', { status: 429, body: '' }],
  ['a 307', { status: 307, headers: { location: 'http://127.0.0.1:9/' }, body: '' }],
  ['a 200', { status: 200, body: '<ChangeResourceRecordSetsResponse/>' }],
  ['a 403 of HTML', { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>AccessDenied</html>' }],
  ['a reset', 'reset'],
  ['silence', 'silence'],
]

test.each(failures)('a write that fails is not sent again and changes nothing: %s', async (_, fault) => {
  const { check, writes, faults } = await start(fault === 'silence' ? { limits: { headersTimeoutMs: 8_000 } } : {})
  faults.ofWrite = fault
  expect(await check('editable', proving)).toEqual({ ...unknown, isProofSent: true })
  expect(writes).toHaveLength(1)
})

test('deletes one record with 128 random bits as its value, others each time', async () => {
  const { check, writes } = await start()
  for (const name of ['editable', 'read-only']) await check(name, proving)
  const values = writes.map(({ body }) => /<Value>"([0-9a-f]{32})"</.exec(body)?.[1])
  expect(new Set(values).size).toBe(2)
  expect(writes.map(({ body }) => body)).toEqual(
    values.map(
      (value) =>
        `<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ChangeBatch><Changes><Change><Action>DELETE</Action><ResourceRecordSet><Name>_acme-challenge.example.tk.</Name><Type>TXT</Type><TTL>60</TTL><ResourceRecords><ResourceRecord><Value>"${value}"</Value></ResourceRecord></ResourceRecords></ResourceRecordSet></Change></Changes></ChangeBatch></ChangeResourceRecordSetsRequest>`,
    ),
  )
})

test('sends no write for a zone that was not found, and none for a rejected key', async () => {
  const { check, writes } = await start()
  expect(await check('another-zone', proving)).toMatchObject({ fits: 'no', isProofSent: false })
  expect(await check('unknown-id', proving)).toMatchObject({ outcome: 'invalid', isProofSent: false })
  expect(writes).toEqual([])
})

test('sends no write if little time is left', async () => {
  const { check, writes, faults } = await start({
    limits: { deadlineMs: 60_000, headersTimeoutMs: 3_000, abilityReadMinMs: 59_000 },
  })
  // The read before ends by its timeout, when less than 59 s are left.
  faults.of = ({ path }) => (path.includes('/rrset?') ? 'silence' : undefined)
  expect(await check('editable', proving)).toMatchObject({ outcome: 'valid', fits: 'unknown', isProofSent: false })
  expect(writes).toEqual([])
})

test('of four calls the last one is the proof, in place of a read', async () => {
  const { check, simulator, faults } = await start()
  const page = zonePage()
  faults.of = ({ path }) => {
    if (path.includes('hostedzonesbyname')) return denied
    return path.includes('hostedzone?maxitems=100') ? page : undefined
  }
  expect(await check('editable', proving)).toMatchObject({ fits: 'yes', abilities: ['zones:list', 'dns:edit'] })
  expect(simulator.received.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
    'GET /',
    'GET /@dns/2013-04-01/hostedzonesbyname',
    'GET /@dns/2013-04-01/hostedzone',
    'POST /@dns/2013-04-01/hostedzone/Z040120927RX9CM00XXXX/rrset/',
  ])
})

test('a proof is never answered from a check without one, and the reverse; a proof is sent once in a minute', async () => {
  const { check, writes } = await start()
  expect(await check('editable', plain)).toMatchObject({ fits: 'unknown' })
  expect(await check('editable', proving)).toMatchObject({ fits: 'yes', isProofSent: true })
  expect(await check('editable', proving)).toMatchObject({ fits: 'yes', isProofSent: false })
  expect(writes).toHaveLength(1)
  expect(await check('editable', plain)).toEqual({ ...unknown, isProofSent: false })
  expect(await check('editable', undefined, { capabilities: true })).toMatchObject({ lacks: undefined })
})

test.each([
  [{ ability: 'dns:edit', prove: 'refused_write' }, 'A proof needs a zone and the ability dns:edit.'],
  [{ zone: 'example.tk', prove: 'refused_write' }, 'A proof needs a zone and the ability dns:edit.'],
  [{ ...proving, ability: 'dns:read' }, 'A proof needs a zone and the ability dns:edit.'],
  [{ ...plain, prove: 'write' }, 'The proof must be refused_write.'],
])('rejects a proof that cannot be made: %j', async (purpose, detail) => {
  const { check, simulator } = await start()
  // An untyped program.
  const error = await check('editable', purpose as Purpose).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(KeyCheckError)
  expect(error).toMatchObject({ code: 'input_invalid', faults: [{ at: '/for/prove', detail }] })
  expect(simulator.received).toEqual([])
})

test('rejects every proof if they are switched off', async () => {
  const { check, simulator } = await start({ proofs: false })
  await expect(check('editable', proving)).rejects.toMatchObject({
    faults: [{ at: '/for/prove', detail: 'Proofs are switched off here: omit this member.' }],
  })
  expect(await check('editable', plain)).toEqual({ ...unknown, isProofSent: false })
  expect(simulator.received.filter(({ method }) => method === 'POST')).toEqual([])
})

test('the simulator accepts the write only with a signature of its body', async () => {
  const { check, simulator, writes } = await start()
  await check('editable', proving)
  const [sent] = writes
  if (!sent) throw new Error('no write was sent')
  const url = `${simulator.baseUrls.route53}${sent.path}`
  const send = async (signed: string, body: string) => {
    const key = {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'route53-editable',
      region: 'us-east-1',
      service: 'route53',
    }
    const address = `https://route53.amazonaws.com${sent.path.replace('/@dns', '')}`
    const headers = sigV4(key, { method: 'POST', url: address, body: signed }, startMs)
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/xml' },
    })
    return answer.status
  }
  const other = sent.body.replace(/[0-9a-f]{32}/, 'f'.repeat(32))
  expect([await send(sent.body, sent.body), await send(sent.body, other), await send('', sent.body)]).toEqual([
    400, 418, 418,
  ])
})

const denied = {
  status: 403,
  headers: { 'content-type': 'text/xml' },
  body: '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>',
}

/** The list of zones with the zone in it. */
function zonePage() {
  const zones = `<HostedZones>${hostedZone('Z040120927RX9CM00XXXX', 'example.tk.')}</HostedZones>`
  return {
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: route53Xml('ListHostedZonesResponse', `${zones}<IsTruncated>false</IsTruncated><MaxItems>100</MaxItems>`),
  }
}
