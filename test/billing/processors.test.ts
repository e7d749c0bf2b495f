import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Registry } from '@prometheus-io/client'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openBilling } from '../../src/billing/billing.ts'
import { importProcessorFiles } from '../../src/billing/processor-files.ts'
import { processors, readProcessors } from '../../src/billing/registry.ts'
import { listSettings } from '../../src/config.ts'
import { allContracts } from '../../src/contracts.ts'
import { SettingsReader } from '../../src/platform/settings.ts'
import { noProxies } from '../support/no-proxies.ts'
import { editsOf, readRecipe } from '../support/recipe.ts'
import { serviceForTest } from '../support/service.ts'

const rooms = new URL('../../src/', import.meta.url).href

test('a file in the folder is enough: the processor has its settings, webhook and customers', async () => {
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

// Over HTTP. test/contributing-plugins.long.test.ts follows the same recipe in a copy of the checkout.
test('a processor added to the folder works: its contract, signature, event and plan', async () => {
  const [example] = readProcessors(await importProcessorFiles(await folderOf({ 'example.ts': exampleProcessor() })))
  expect(example?.webhook).toMatchObject({ id: 'receiveExampleEvent', method: 'POST', path: '/webhooks/example' })
  const service = await serviceForTest()
  await service.sql(`insert into plan (id, name) values ('pro', 'Pro')`)
  await service.sql(`insert into plan_price values ('price_pro', 'pro')`)
  const { id: accountId, token } = await service.person()
  const env = new SettingsReader({ EXAMPLE_WEBHOOK_SECRET: 'secret_1, secret_2' })
  const billing = await openBilling(service.database, {
    processors: example ? [example.configure(env)] : [],
    returnOrigins: [],
    proxies: noProxies,
    registry: new Registry(),
    log: pino({ level: 'silent' }),
    now: service.clock.now,
  })
  const receive = async (event: object, secret: string): Promise<unknown> => {
    const [seconds, body] = [Math.floor(service.clock.now() / 1_000), JSON.stringify(event)]
    const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
    const headers = { 'example-timestamp': String(seconds), 'example-signature': signature }
    return billing?.receive('example', Buffer.from(body), headers)
  }
  const at = '2026-05-01T12:00:00Z'
  const metadata = { muster_account_id: accountId }
  const data = { id: 'sub_1', status: 'active', customer: 'customer_1', price: 'price_pro', created_at: at, metadata }
  const created = { id: 'evt_1', type: 'subscription.created', at, data }
  const ended = { id: 'evt_2', type: 'subscription.ended', at, data: { ...data, status: 'canceled' } }

  await expect(receive(created, 'secret_3')).rejects.toMatchObject({ code: 'webhook_unsigned' })
  await expect(receive({ ...created, at: 'now' }, 'secret_2')).rejects.toMatchObject({ code: 'webhook_unreadable' })
  expect(await receive(created, 'secret_1')).toEqual({ outcome: 'applied' })
  expect((await service.get('/api/v1/user/data', { token })).body).toMatchObject({
    subscription: { plan_id: 'pro', plan_name: 'Pro', status: 'active', billing_customer_id: 'customer_1' },
  })
  expect(await receive(ended, 'secret_2')).toEqual({ outcome: 'applied' })
  expect(await receive(created, 'secret_1')).toEqual({ outcome: 'repeated' })
  expect(await receive({ ...created, id: 'evt_3', data: { ...data, metadata: {} } }, 'secret_1')).toEqual({
    outcome: 'older',
  })
  expect(
    await service.sql('select status, processor from subscription s join customer c on c.id = customer_id'),
  ).toEqual([{ status: 'canceled', processor: 'example' }])
})

test.each([
  ['a file that is not a processor', 'other.ts', 'export const processor = {}', /does not export a payment processor/],
  ['a file whose name is not the id', 'other.ts', exampleProcessor(), /the file other holds the processor example/],
  ['a folder whose name is not the id', 'other/other.ts', exampleProcessor('../'), /holds the processor example/],
])('fails to start: %s', async (_, path, text, message) => {
  const found = await importProcessorFiles(await folderOf({ [path]: text }))
  expect(() => readProcessors(found)).toThrow(message)
})

/** The processor in docs/contributing/add-a-payment-processor.md, for a file that is `up` deeper. */
function exampleProcessor(up = ''): string {
  const edits = editsOf(readRecipe('docs/contributing/add-a-payment-processor.md', 'Add a payment processor'))
  const text = edits.find(({ file }) => file === 'src/billing/processors/example.ts')?.text ?? ''
  return text.replaceAll(`'../`, `'${up}../`)
}

/** A folder with these files, with absolute imports of the service. It is here so that packages are found. */
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
