import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from '../../../simulators/cloudflare/server.ts'
import { samples } from '../../../simulators/cloudflare/state.ts'
import { readProviders } from '../../engine/catalogue.ts'
import { openKeyChecks, readInput } from '../../engine/check.ts'
import { readCredential } from '../../engine/credential.ts'
import { createMisplacedCheck } from '../../engine/local-checks.ts'
import { invalid, provider, valid } from '../../engine/provider.ts'
import type { KeyType } from '../../index.ts'
import { recordedEmail } from '../../simulator/recording.ts'
import { startProvidersSimulator } from '../../simulator/server.ts'
import { verdictOf } from './harness.ts'

const providers = await readProviders()

/** Values of the published forms; `made` belongs to nobody. */
const published = [
  ['cloudflare', 'API token', samples.userToken],
  ['cloudflare', 'Global API Key', samples.globalKey],
  ['route53', 'access key ID', 'AKIAIOSFODNN7EXAMPLE'],
  ['digitalocean', 'personal access token', `dop_v1_${'0123456789abcdef'.repeat(4)}`],
  ['netlify', 'personal access token', `nfp_${'aB3_'.repeat(9)}`],
  ['porkbun', 'API key', `pk1_${'0123456789abcdef'.repeat(4)}`],
  ['porkbun', 'secret API key', `sk1_${'0123456789abcdef'.repeat(4)}`],
  ['exoscale', 'API key', `EXO${'0123456789ab'.repeat(2)}`],
  ['tencentcloud', 'SecretId', `AKID${'aB3d'.repeat(8)}`],
  ['alidns', 'AccessKey ID', `LTAI${'aB3d'.repeat(5)}`],
  ['godaddy', 'personal access token', `gd_pat_${'aB3d'.repeat(8)}_0123abcd`],
] as const

test('matches each sample key to the published form of its own provider only', () => {
  const forms = [...providers.values()].flatMap(({ id, keyTypes }) =>
    Object.values(keyTypes).flatMap(({ publishedForm, parts = {} }) =>
      [publishedForm, ...Object.values(parts).map((part) => part.publishedForm)].flatMap((form) =>
        form ? [{ id, ...form }] : [],
      ),
    ),
  )
  for (const [owner, label, value] of published) {
    const found = forms.filter(({ pattern }) => new RegExp(pattern).test(value))
    expect(
      found.map(({ id }) => id),
      label,
    ).toEqual([owner])
  }
  for (const { id, pattern } of forms)
    expect(
      published.some(([owner, , value]) => owner === id && new RegExp(pattern).test(value)),
      id,
    ).toBe(true)
  for (const { id, source } of forms) expect(source, id).toMatch(/\w\/\w.*(?:\d{4}-\d{2}|@[0-9a-f]{7})/)
})

async function startAll() {
  const [simulator, cloudflare] = await Promise.all([startProvidersSimulator(), startCloudflareSimulator()])
  const keyChecks = await openKeyChecks({
    baseUrls: { ...simulator.baseUrls, cloudflare: cloudflare.url },
    limits: { callsPerSecondMax: 0 },
  })
  onTestFinished(async () => {
    await keyChecks.close()
    await Promise.all([simulator.close(), cloudflare.close()])
  })
  const check = (provider: string, keyType: KeyType, key: string, parts: Readonly<Record<string, string>> = {}) => {
    const email = providers.get(provider)?.keyTypes[keyType]?.email === 'required' ? recordedEmail : undefined
    return verdictOf(keyChecks.check({ provider, keyType, apiKey: key, email, parts }))
  }
  return { simulator, cloudflare, check }
}

test('names the provider of a misplaced key and sends the key nowhere', async () => {
  const { simulator, cloudflare, check } = await startAll()
  for (const { id, keyType, parts = {} } of [
    ...simulator.recordings,
    { id: 'cloudflare', keyType: 'api_token' } as const,
  ]) {
    const { title = '', isOwnServer, keyTypes } = providers.get(id) ?? {}
    const isFile = keyTypes?.[keyType]?.isMultiline === true
    for (const [owner, label, value] of published) {
      if (owner === id || isOwnServer || isFile) continue
      const { outcome, message, details } = await check(id, keyType, value, parts)
      const { title: other } = providers.get(owner) ?? {}
      expect([outcome, details.code], `${value} at ${id}`).toEqual(['invalid', 'other_provider'])
      expect(message).toContain(`This is the ${label} of ${other}, not a ${title} `)
      expect(message).not.toContain(value)
    }
  }
  expect([simulator.received, cloudflare.received]).toEqual([[], []])
})

test('names swapped parts of a key and does not send them', async () => {
  const { simulator, check } = await startAll()
  const swapped = await check('porkbun', 'api_key', published[5][2], { apiKeyId: published[6][2] })
  expect([swapped.outcome, swapped.details.code]).toEqual(['invalid', 'other_part'])
  expect(swapped.message).toBe(
    'This is the API key of the Porkbun API key, not the secret API key, so it was not sent; enter each value in its own field.',
  )
  const twice = await check('route53', 'api_key', 'AKIAIOSFODNN7EXAMPLE', { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' })
  expect(twice.details.code).toBe('other_part')
  expect(simulator.received).toEqual([])
})

// recorded.test.ts checks that every recorded key is sent to its provider.
test('sends a key of a form that its own provider publishes, and any Cloudflare key to Cloudflare', async () => {
  const { cloudflare, check } = await startAll()
  // A value in the right field is sent, whatever form others publish.
  const { details } = await check('huaweicloud', 'api_key', 'secret', { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }).catch(
    () => ({ details: { code: 'sent' } }),
  )
  expect(details.code).not.toMatch(/^other_/)
  // For a Cloudflare key of the other type, Cloudflare decides.
  await check('cloudflare', 'api_token', samples.globalKey)
  expect(cloudflare.received.length).toBeGreaterThan(0)
})

test('accepts a key of any form for a self-hosted server', async () => {
  const { simulator, check } = await startAll()
  await check('powerdns', 'api_key', published[3][2]).catch(() => undefined)
  await check('powerdns', 'api_token', published[3][2]).catch(() => undefined)
  expect(simulator.received.map(({ id }) => id)).toContain('powerdns')
})

test('names a provider only if no other provider publishes the same form', () => {
  const withForm = (id: string, pattern: string) =>
    provider({
      id,
      title: id.toUpperCase(),
      docs: `https://${id}.example/docs`,
      keyPage: `https://${id}.example/keys`,
      baseUrl: `https://${id}.example`,
      keyTypes: { api_token: { label: `token of ${id}`, publishedForm: { pattern, source: id } } },
      certainty: 'documented',
      firstRead: { grows: 'never' },
      abilities: { unknown: 'Not known.' },
      request: () => ({ path: '/', headers: {} }),
      classify: () => valid(),
    })
  const asked = withForm('asked', '^asked_')
  const misplaced = createMisplacedCheck([asked, withForm('one', '^(one|both)_'), withForm('two', '^(two|both)_')])
  const found = (apiKey: string) =>
    misplaced(readCredential(asked, readInput({ keyType: 'api_token', apiKey })).credential)
  expect(found('both_x')).toBeUndefined()
  expect(found('asked_x')).toBeUndefined()
  expect(found('two_x')).toEqual(invalid('other_provider', { part: 'token of two', other: 'TWO' }))
})
