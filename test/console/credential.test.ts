import { expect, test } from 'vitest'
import {
  bodyOf,
  type CredentialField,
  isMeant,
  missingOf,
  type Provider,
  unusualOf,
} from '../../console/src/key-check/credential.ts'
import { catalogue } from '../support/catalogue.ts'

const providers: readonly Provider[] = await catalogue()

function keyTypeOf(id: string, index = 0) {
  const provider = providers.find((one) => one.id === id)
  const keyType = provider?.keyTypes[index]
  if (!provider || !keyType) throw new Error(`There is no key type ${index} of ${id}.`)
  return { provider, keyType, fields: keyType.fields satisfies readonly CredentialField[] }
}

test('a body has each value where its field belongs, and nothing that was left empty', () => {
  const { provider, keyType } = keyTypeOf('route53')
  const values = { accessKeyId: 'AKIA', apiKey: ' secret\n', sessionToken: ' ' }
  expect(bodyOf(provider, keyType, values, { ability: 'dns:edit' })).toEqual({
    provider: 'route53',
    keyType: 'api_key',
    apiKey: ' secret\n',
    parts: { accessKeyId: 'AKIA' },
    for: { ability: 'dns:edit' },
  })
  const cloudflare = keyTypeOf('cloudflare', 1)
  expect(bodyOf(cloudflare.provider, cloudflare.keyType, { email: ' ada@example.com ', apiKey: 'x' }, {})).toEqual({
    provider: 'cloudflare',
    keyType: 'api_key',
    apiKey: 'x',
    email: 'ada@example.com',
  })
})

test('what is missing depends on what else was entered', () => {
  const { fields } = keyTypeOf('route53')
  expect(missingOf(fields, {})).toEqual(['/parts/accessKeyId', '/apiKey'])
  expect(missingOf(fields, { accessKeyId: 'AKIA1', apiKey: 'x' })).toEqual([])
  expect(missingOf(fields, { accessKeyId: 'ASIA1', apiKey: 'x' })).toEqual(['/parts/sessionToken'])
  const cloudns = keyTypeOf('cloudns').fields
  expect(missingOf(cloudns, { apiKey: 'x' })).toEqual(['/parts/subAuthId'])
  expect(missingOf(cloudns, { apiKey: 'x', authId: '1' })).toEqual([])
})

test('a value that does not look as usual is named, an empty one is not', () => {
  const { fields } = keyTypeOf('route53')
  expect(unusualOf(fields, { accessKeyId: 'AKIA' })).toEqual(['/parts/accessKeyId'])
  expect(unusualOf(fields, { accessKeyId: ' AKIAIOSFODNN7EXAMPLE ' })).toEqual([])
  expect(unusualOf(fields, {})).toEqual([])
})

test.each([
  ['cloudflare', 'cloudflare'],
  ['Cloud flare', 'cloudflare'],
  ['cludflare', 'cloudflare'],
  ['digtalocean', 'digitalocean'],
  ['aws', 'route53'],
  ['route53', 'route53'],
  ['bunny.net', 'bunny'],
])('“%s” finds %s', (typed, id) => {
  expect(providers.filter((provider) => isMeant(provider, typed)).map((provider) => provider.id)).toContain(id)
})

test('nothing is found by what no provider is called', () => {
  expect(providers.filter((provider) => isMeant(provider, 'zzzz'))).toEqual([])
})
