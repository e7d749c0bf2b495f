import { expect, onTestFinished, test } from 'vitest'
import { createValidation, type Validation } from '../../../src/key-checks/engine/check.ts'
import { Secret } from '../../../src/platform/secret.ts'

async function opened(): Promise<Validation> {
  const validation = await createValidation()
  onTestFinished(() => validation.close())
  return validation
}

test('the fields of a credential come as they are typed, each once: whose key it is, the key, what else is needed, and what has a default', async () => {
  const validation = await opened()
  const all = validation.catalogue().flatMap(({ id, keyTypes }) => keyTypes.map(({ fields }) => [id, fields] as const))
  for (const [id, fields] of all) {
    const names = fields.map(({ name }) => name)
    expect(new Set(names).size, id).toBe(names.length)
  }
  expect(all.find(([id]) => id === 'route53')?.[1]).toEqual([
    {
      ...{ name: 'accessKeyId', at: '/parts/accessKeyId', label: 'access key ID', secret: false, required: true },
      ...{ multiline: false, pattern: '^(AKIA|ASIA)[A-Z0-9]{16}$', example: 'AKIAIOSFODNN7EXAMPLE' },
    },
    { name: 'apiKey', at: '/apiKey', label: 'secret access key', secret: true, required: true, multiline: false },
    {
      ...{ name: 'sessionToken', at: '/parts/sessionToken', label: 'session token', secret: true, required: false },
      ...{ multiline: false, requiredWhen: { accessKeyId: '^ASIA' } },
    },
    {
      ...{ name: 'partition', at: '/parts/partition', label: 'partition', secret: false, required: false },
      ...{ multiline: false, options: ['aws', 'aws-cn', 'aws-us-gov'], default: 'aws' },
    },
  ])
})

test.each([
  ['aws', 'route53'],
  ['cloudfront', 'route53'],
  ['gcp', 'googlecloud'],
  ['gcloud', 'googlecloud'],
  ['google', 'googlecloud'],
  ['azuredns', 'azure'],
  ['alibaba', 'alidns'],
  ['tencent', 'tencentcloud'],
  ['dnspod', 'tencentcloud'],
  ['ovhcloud', 'ovh'],
  ['edgedns', 'akamai'],
  ['huawei', 'huaweicloud'],
])('400 — for %s the answer names %s', async (provider, id) => {
  const validation = await opened()
  expect(validation.catalogue().map((one) => one.id)).toContain(id)
  const checked = validation.check({ provider, keyType: 'api_key', apiKey: new Secret('key') })
  await expect(checked).rejects.toMatchObject({
    code: 'provider_unsupported',
    message: expect.stringContaining(` ${id}`),
  })
})

test('nothing is sent to a provider that is unknown, and so it has no limits', async () => {
  const validation = await opened()
  expect([validation.callsPerSecondMax('no-such'), validation.bulkFailuresMax('no-such')]).toEqual([0, 0])
})
