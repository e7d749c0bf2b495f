import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPasted } from '../../console/src/key-check/pasted-credential.ts'
import { catalogue } from '../support/catalogue.ts'

const providers = new Map((await catalogue()).map((provider) => [provider.id, provider]))

function fieldsOf(id: string, keyType = 0) {
  return providers.get(id)?.keyTypes[keyType]?.fields ?? []
}

test('a profile of AWS fills the parts of its first section that names one', () => {
  const text = [
    '# work',
    '[empty]',
    'region = eu-central-1',
    '[default]',
    'aws_access_key_id = AKIAIOSFODNN7EXAMPLE',
    'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'region=eu-central-1',
    '[other]',
    'aws_access_key_id = AKIAOTHER',
    'aws_session_token = other',
  ].join('\r\n')
  expect(readPasted(text, fieldsOf('route53'))).toEqual({
    values: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', apiKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    linesLeftOut: 1,
  })
})

test('a section of an .edgerc fills all parts of Akamai', () => {
  const text =
    '[default]\nclient_secret = C113nt53KR3TN6N90yVuAgICxIRwsObLi0E67/N8eRN=\nhost = akab-x.luna.akamaiapis.net\naccess_token = akab-acc35t0k3n\nclient_token = akab-c113ntt0k3n\nmax-body = 131072'
  expect(readPasted(text, fieldsOf('akamai'))).toEqual({
    values: {
      apiKey: 'C113nt53KR3TN6N90yVuAgICxIRwsObLi0E67/N8eRN=',
      host: 'akab-x.luna.akamaiapis.net',
      accessToken: 'akab-acc35t0k3n',
      clientToken: 'akab-c113ntt0k3n',
    },
    linesLeftOut: 1,
  })
})

test.each([
  ['cloudflare', 'CLOUDFLARE_API_TOKEN="cfut_x"', { apiKey: 'cfut_x' }],
  ['cloudflare', 'export CF_API_TOKEN=cfut_x\nexport CF_ACCOUNT_ID=abc', { apiKey: 'cfut_x', accountId: 'abc' }],
  ['porkbun', 'PORKBUN_API_KEY=pk1_a\nPORKBUN_SECRET_API_KEY=sk1_b', { apiKeyId: 'pk1_a', apiKey: 'sk1_b' }],
  ['godaddy', 'GODADDY_API_KEY=a\nGODADDY_API_SECRET=b', { apiKeyId: 'a', apiKey: 'b' }, 1],
  [
    'azure',
    "AZURE_TENANT_ID='t'\nAZURE_CLIENT_ID='c'\nAZURE_CLIENT_SECRET='s~1'",
    { tenantId: 't', clientId: 'c', apiKey: 's~1' },
  ],
  [
    'ovh',
    'OVH_ENDPOINT=ovh-ca\nOVH_APPLICATION_KEY=a\nOVH_APPLICATION_SECRET=b\nOVH_CONSUMER_KEY=c',
    { endpoint: 'ovh-ca', applicationKey: 'a', apiKey: 'b', consumerKey: 'c' },
  ],
  ['ovh', 'OVH_ENDPOINT=elsewhere\nOVH_CONSUMER_KEY=c', { consumerKey: 'c' }],
  ['namecheap', 'NAMECHEAP_API_KEY=a\nNAMECHEAP_USERNAME=b', { apiKey: 'a', username: 'b' }],
  ['tencentcloud', 'TENCENTCLOUD_SECRET_ID=a\nTENCENTCLOUD_SECRET_KEY=b', { secretId: 'a', apiKey: 'b' }],
  ['alidns', 'ALICLOUD_ACCESS_KEY_ID=a\nALICLOUD_ACCESS_KEY_SECRET=b', { accessKeyId: 'a', apiKey: 'b' }],
])('the lines of an environment fill the parts of %s: %s', (id, text, values, keyType = 0) => {
  expect(readPasted(text, fieldsOf(id, keyType))?.values).toEqual(values)
})

test.each([
  ['a key', 'cfut_AAAAAAAAAABBBBBBBBBB'],
  ['a key in base64', 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVpteUtleQ=='],
  ['a private key', '-----BEGIN PRIVATE KEY-----\nTOKEN=x\n-----END PRIVATE KEY-----'],
  ['a JSON file', '{\n  "private_key": "x"\n}'],
  ['lines that name no field', 'COLOR=red\nSIZE=3'],
  ['a name without a value', 'CLOUDFLARE_API_TOKEN='],
  ['nothing', ''],
])('%s is pasted as it is', (_, text) => {
  expect(readPasted(text, fieldsOf('cloudflare'))).toBeUndefined()
})

const everyKeyType = [...providers.values()].flatMap(({ keyTypes }) => keyTypes)
const value = fc.stringMatching(/^[A-Za-z0-9+/_~.-]{1,40}$/)

test('whatever the provider, its parts by their own names come back as they were', () => {
  fc.assert(
    fc.property(fc.constantFrom(...everyKeyType), fc.infiniteStream(value), ({ fields }, stream) => {
      const free = fields.filter(({ options, at }) => !options && at !== '/apiKey')
      const values = free.map(({ name }) => [name, stream.next().value ?? 'x'] as const)
      const text = values.map(([name, one]) => `PROVIDER_${name.replace(/([A-Z])/g, '_$1').toUpperCase()}=${one}`)
      expect(readPasted(text.join('\n'), fields)?.values ?? {}).toEqual(Object.fromEntries(values))
    }),
  )
})

test('whatever is pasted: known fields only, values that stand in the text, and never those of two sections', () => {
  const name = fc.constantFrom('aws_access_key_id', 'aws_secret_access_key', 'aws_session_token', 'region', 'partition')
  const section = fc.array(fc.tuple(name, value), { maxLength: 5 })
  fc.assert(
    fc.property(fc.array(section, { maxLength: 4 }), (sections) => {
      const text = sections
        .map((lines, number) => [`[s${number}]`, ...lines.map(([key, one]) => `${key} = ${one}${number}`)].join('\n'))
        .join('\n')
      const found = Object.entries(readPasted(text, fieldsOf('route53'))?.values ?? {})
      expect(found.every(([field]) => fieldsOf('route53').some((one) => one.name === field))).toBe(true)
      expect(new Set(found.map(([, one]) => one.at(-1))).size).toBeLessThanOrEqual(1)
    }),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      const values = Object.values(readPasted(text, fieldsOf('cloudflare'))?.values ?? {})
      expect(values.every((one) => one !== '' && text.includes(one))).toBe(true)
    }),
  )
})
