import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { importProcessorFiles } from '../../src/billing/processor-files.ts'
import { processors, readProcessors } from '../../src/billing/registry.ts'
import { listSettings } from '../../src/config.ts'
import { allContracts } from '../../src/contracts.ts'
import { SettingsReader } from '../../src/platform/settings.ts'
import { editsOf, readRecipe } from '../support/recipe.ts'
import { serviceForTest } from '../support/service.ts'

const rooms = new URL('../../src/', import.meta.url).href

test('each processor is there by its folder alone: its settings, its webhook and its customers', async () => {
  const folder = await readdir(new URL('billing/processors/', rooms))
  expect(processors.map(({ id }) => id)).toEqual(folder.map((name) => name.replace(/\.ts$/, '')).sort())
  const [paths, settings] = [allContracts.map(({ path }) => path), listSettings().map(({ name }) => name)]
  const service = await serviceForTest()
  for (const { id, configure } of processors) {
    expect(paths).toContain(`/webhooks/${id}`)
    const { secrets } = configure(new SettingsReader({}))
    expect(settings).toEqual(expect.arrayContaining(secrets.map(({ name }) => name)))
    await service.sql('insert into customer (id, processor) values ($1, $1)', [id])
  }
})

test('a processor that is added to the folder receives its webhooks: the signature, the event, the plan', async () => {
  const added = readProcessors(await importProcessorFiles(await folderOf({ 'example.ts': exampleProcessor() })))
  const env = new SettingsReader({ EXAMPLE_WEBHOOK_SECRET: 'secret_1, secret_2' })
  const service = await serviceForTest({
    configure: (config) => ({
      ...config,
      billing: { ...config.billing, processors: added.map(({ configure }) => configure(env)) },
    }),
  })
  await service.sql(`insert into plan (id, name) values ('pro', 'Pro')`)
  await service.sql(`insert into plan_price values ('price_pro', 'pro')`)
  const { id: accountId, token } = await service.person()
  const at = '2026-05-01T12:00:00Z'
  const post = async (event: object, secret: string): Promise<unknown> => {
    const [seconds, body] = [Math.floor(service.clock.now() / 1_000), JSON.stringify(event)]
    const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
    const signed = { 'example-timestamp': String(seconds), 'example-signature': signature }
    const headers = { 'content-type': 'application/json', ...signed }
    return (await fetch(`${service.url}/webhooks/example`, { method: 'POST', headers, body })).json()
  }
  const metadata = { muster_account_id: accountId }
  const data = { id: 'sub_1', status: 'active', customer: 'customer_1', price: 'price_pro', created_at: at, metadata }
  const created = { id: 'evt_1', type: 'subscription.created', at, data }
  const ended = { id: 'evt_2', type: 'subscription.ended', at, data: { ...data, status: 'canceled' } }

  expect(await post(created, 'secret_3')).toMatchObject({ status: 400, code: 'webhook_unsigned' })
  expect(await post({ ...created, at: 'now' }, 'secret_2')).toMatchObject({ status: 400, code: 'webhook_unreadable' })
  expect(await post(created, 'secret_1')).toEqual({ received: true, outcome: 'applied' })
  expect((await service.get('/api/v1/user/data', { token })).body).toMatchObject({
    subscription: { plan_id: 'pro', plan_name: 'Pro', status: 'active', billing_customer_id: 'customer_1' },
  })
  expect(await post(ended, 'secret_2')).toMatchObject({ outcome: 'applied' })
  expect(await post(created, 'secret_1')).toMatchObject({ outcome: 'repeated' })
  expect(await post({ ...created, id: 'evt_3', data: { ...data, metadata: {} } }, 'secret_1')).toMatchObject({
    outcome: 'older',
  })
  expect(
    await service.sql('select status, processor from subscription s join customer c on c.id = customer_id'),
  ).toEqual([{ status: 'canceled', processor: 'example' }])
  const { paths } = Object((await service.get('/openapi.json')).body)
  expect(Object.keys(paths)).toContain('/webhooks/example')
  expect(Object.keys(paths)).not.toContain('/webhooks/stripe')
})

test.each([
  ['a file that is no processor', 'other.ts', 'export const processor = {}', /does not export a payment processor/],
  ['a file whose name is not the id', 'other.ts', exampleProcessor(), /the file other holds the processor example/],
  ['a folder whose name is not the id', 'other/other.ts', exampleProcessor('../'), /holds the processor example/],
])('the start is refused: %s', async (_, path, text, message) => {
  const found = await importProcessorFiles(await folderOf({ [path]: text }))
  expect(() => readProcessors(found)).toThrow(message)
})

/** The processor of the recipe in CONTRIBUTING.md, from a file that lies deeper by `up`. */
function exampleProcessor(up = ''): string {
  const edits = editsOf(readRecipe('CONTRIBUTING.md', 'Add a payment processor'))
  const text = edits.find(({ file }) => file === 'src/billing/processors/example.ts')?.text ?? ''
  return text.replaceAll(`'../`, `'${up}../`)
}

/** A folder with these files, whose imports of the service are made absolute. It lies here so that packages are found. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(join(import.meta.dirname, 'processors-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    const origin = new URL(path, new URL('billing/processors/', rooms))
    const absolute = text.replaceAll(/'(\.\.\/[^']+)'/g, (_, to: string) => `'${new URL(to, origin).href}'`)
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), absolute)
  }
  return pathToFileURL(`${folder}/`)
}
