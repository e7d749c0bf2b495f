import { expect, test } from 'vitest'

import { findProvider, readProviders } from '../../../src/key-checks/engine/catalogue.ts'

const providers = await readProviders()

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
  ['ibm', 'ibmcloud'],
  ['oci', 'oraclecloud'],
  ['oracle', 'oraclecloud'],
])('400 provider_unsupported — who tries the id %s is told of %s', (tried, id) => {
  const title = providers.get(id)?.title
  const detail = `${title} has the id ${id} here; The page lists those that are supported.`
  expect(title).toBeDefined()
  expect(() => findProvider(providers, tried, 'The page')).toThrow(
    expect.objectContaining({
      code: 'provider_unsupported',
      more: { detail, errors: [{ pointer: '/provider', detail }] },
    }),
  )
})
