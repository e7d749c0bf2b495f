import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

import { infoOf, readProviders } from '../../engine/catalogue.ts'

const providers = await readProviders()

test('the first call is shown with the names of its parts, or with their defaults', () => {
  const asked = ['akamai', 'route53', 'ovh'].map((id) => {
    const provider = providers.get(id)
    return provider && infoOf(provider).keyTypes.map(({ asked: call }) => call)
  })
  expect(asked).toEqual([
    ['GET https://{host}.luna.akamaiapis.net/config-dns/v2/zones?pageSize=1&showAll=false'],
    ['GET https://sts.us-east-1.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15'],
    ['GET https://eu.api.ovh.com/1.0/auth/currentCredential'],
  ])
})

test.each([
  ['address', 'http://x.example', {}],
  ['other address', 'https://x.example', { good: 'https://y.example', bad: 'http://z.example' }],
])('a provider whose %s is not https is rejected', async (_, baseUrl, origins) => {
  const folder = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'muster-provider-'))}/`)
  onTestFinished(() => rm(folder, { recursive: true }))
  const providerInterface = new URL('../../engine/provider.ts', import.meta.url).href
  await writeFile(
    new URL('one.ts', folder),
    `import { bearer, provider, valid } from '${providerInterface}'
     export default provider({ id: 'one', title: 'One', docs: 'https://x.example', certainty: 'documented',
       baseUrl: '${baseUrl}', firstRead: { grows: 'never' }, origins: ${JSON.stringify(origins)},
       keyTypes: { api_token: { label: 'token', email: 'unused' } }, request: bearer('/'), classify: () => valid() })`,
  )
  await expect(readProviders(folder)).rejects.toThrow('one has no https address')
})
