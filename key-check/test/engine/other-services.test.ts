import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from '../../../simulators/cloudflare/server.ts'
import { newServiceKey } from '../../../src/identity/service-key.ts'
import { readProviders } from '../../engine/catalogue.ts'
import { openKeyChecks } from '../../engine/check.ts'
import { otherServices } from '../../engine/local-checks.ts'
import { recordedEmail } from '../../simulator/recording.ts'
import { startProvidersSimulator } from '../../simulator/server.ts'
import { verdictOf } from './harness.ts'

const providers = await readProviders()

/** Values of the published forms that belong to nobody, in pieces so that secret scanners ignore them. */
const samples = [
  ['GitHub', 'token', ['ghp', 'aB3d'.repeat(9)].join('_')],
  ['GitHub', 'token', ['gho', 'aB3d'.repeat(9)].join('_')],
  [
    'GitHub',
    'fine-grained personal access token',
    ['github', 'pat', `${'aB3d'.repeat(5)}Ab_${'aB3d'.repeat(15)}`].join('_'),
  ],
  ['GitLab', 'personal access token', ['glpat', 'aB3d_'.repeat(4)].join('-')],
  ['npm', 'access token', ['npm', 'aB3d'.repeat(9)].join('_')],
  ['PyPI', 'API token', ['pypi', `AgEIcHlwaS5vcmc${'aB3-'.repeat(20)}`].join('-')],
  ['Slack', 'token', ['xoxb', '123456789012', '123456789012', 'aB3d'.repeat(6)].join('-')],
  ['Slack', 'token', ['xoxp', '123456789012', '123456789012', 'aB3d'.repeat(6)].join('-')],
  ['Stripe', 'secret key', ['sk', 'live', 'aB3d'.repeat(6)].join('_')],
  ['Stripe', 'secret key', ['rk', 'test', 'aB3d'.repeat(6)].join('_')],
  ['Muster', 'service key', newServiceKey().key.open()],
] as const

test('every form has a sample that no other service or provider matches', () => {
  const forms = [...providers.values()].flatMap(({ keyTypes }) =>
    Object.values(keyTypes).flatMap(({ publishedForm, parts = {} }) =>
      [publishedForm, ...Object.values(parts).map((part) => part.publishedForm)].flatMap((form) => form ?? []),
    ),
  )
  for (const [title, label, value] of samples) {
    const found = otherServices.filter(({ form }) => new RegExp(form.pattern).test(value))
    expect(found.map((service) => [service.title, service.label])).toEqual([[title, label]])
    expect(forms.filter(({ pattern }) => new RegExp(pattern).test(value))).toEqual([])
  }
  const sampled = new Set(samples.map(([title, label]) => `${title} ${label}`))
  expect(otherServices.map(({ title, label }) => `${title} ${label}`).filter((name) => !sampled.has(name))).toEqual([])
  for (const { title, form } of otherServices) expect(form.source, title).toMatch(/\w\/\w.*(?:\d{4}-\d{2})/)
})

test('a key of another service is named, and is sent to no provider', async () => {
  const [simulator, cloudflare] = await Promise.all([startProvidersSimulator(), startCloudflareSimulator()])
  const keyChecks = await openKeyChecks({ baseUrls: { ...simulator.baseUrls, cloudflare: cloudflare.url } })
  onTestFinished(async () => {
    await keyChecks.close()
    await Promise.all([simulator.close(), cloudflare.close()])
  })
  const [first] = samples
  for (const [other, label, value] of samples) {
    const { outcome, message, details } = await verdictOf(
      keyChecks.check({
        provider: 'cloudflare',
        keyType: 'api_token',
        apiKey: ` ${value}\n`,
      }),
    )
    expect([outcome, details.code], other).toEqual(['invalid', 'other_service'])
    expect(message).toBe(
      `This is the ${label} of ${other}, not a Cloudflare API token, so it was not sent; copy the right one.`,
    )
  }
  for (const { id, keyType, parts = {} } of simulator.recordings) {
    const { isOwnServer, keyTypes } = providers.get(id) ?? {}
    const info = keyTypes?.[keyType]
    if (isOwnServer || info?.isMultiline) continue
    const { outcome, message, details } = await verdictOf(
      keyChecks.check({
        provider: id,
        keyType,
        apiKey: first[2],
        email: info?.email === 'required' ? recordedEmail : undefined,
        parts,
      }),
    )
    expect([outcome, details.code], id).toEqual(['invalid', 'other_service'])
    expect(message).not.toContain(first[2])
  }
  expect([simulator.received, cloudflare.received]).toEqual([[], []])
})
