import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { editsOf, readRecipe } from '../../../test/support/recipe.ts'
import { readProviders } from '../../engine/catalogue.ts'
import { startProvidersSimulator } from '../../simulator/server.ts'
import { expectRecorded, open } from './recorded-check.ts'

test('the provider and the recording in docs/contributing/add-a-provider.md work unchanged', async () => {
  const folder = await emptyFolder()
  const guide = readGuide()
  const source = new URL('providers/', folder)
  const recorded = new URL('recordings/', folder)
  await mkdir(source)
  await mkdir(recorded)
  await writeFile(new URL('example.ts', source), guide.provider)
  await writeFile(new URL('example.ts', recorded), guide.recording)
  await writeFile(new URL('example-zone.ts', recorded), guide.zone)

  const simulator = await startProvidersSimulator({ folder: recorded })
  onTestFinished(() => simulator.close())
  const keyChecks = await open(simulator, { providers: await readProviders(source), defaultProvider: 'example' })
  expect(keyChecks.providers()).toEqual([
    {
      id: 'example',
      title: 'Example',
      docs: 'https://example.com/docs/api/zones',
      keyPage: 'https://example.com/account/tokens',
      keyTypes: [
        {
          keyType: 'api_token',
          label: 'API token',
          email: 'unused',
          asked: 'GET https://api.example.com/v1/zones?limit=1',
          fields: [
            { name: 'apiKey', at: '/apiKey', label: 'API token', secret: true, required: true, multiline: false },
          ],
        },
      ],
      certainty: 'documented',
    },
  ])
  for (const recording of simulator.recordings)
    for (const answer of recording.answers) await expectRecorded(keyChecks, recording, answer)
  expect(simulator.received).toHaveLength(11)
})

test.each([
  ['a file that is no provider', 'export default {}', /does not export a provider/],
  ['a file whose name is not the id', undefined, /holds the provider example/],
])('fails to start with %s', async (_, text, message) => {
  const folder = await emptyFolder()
  await writeFile(new URL('other.ts', folder), text ?? readGuide().provider)
  await expect(readProviders(folder)).rejects.toThrow(message)
})

async function emptyFolder(): Promise<URL> {
  const folder = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'muster-provider-'))}/`)
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** The files in the guide, with an absolute import of the provider interface because they are in another folder. */
function readGuide(): { provider: string; recording: string; zone: string } {
  const [provider, recording, zone] = editsOf(readRecipe('docs/contributing/add-a-provider.md', 'Add a provider'))
  if (!provider || !recording || !zone) throw new Error('The guide shows no provider and recordings')
  const engine = new URL('../../engine/', import.meta.url).href
  return { provider: provider.text.replaceAll('../engine/', engine), recording: recording.text, zone: zone.text }
}
