import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from 'typebox/value'
import { expect, onTestFinished, test } from 'vitest'
import { pausesSeconds } from '../../src/webhooks/deliver.ts'
import { bodySchemaOf, sentTypes, webhookMessages } from '../../src/webhooks/event-types.ts'
import { freePort } from '../support/free-port.ts'
import { root } from '../support/recipe.ts'
import { serviceForTest } from '../support/service.ts'
import { nodeForTest, receiverEnv, registerEndpoint, webhooksPath } from '../support/webhook-receiver.ts'

const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')

test('docs/webhooks.md lists every event type with its meaning and a valid example', () => {
  const [, section = ''] = /\n## Events\n(.*?)\n## /s.exec(page) ?? []
  const rows = [...section.matchAll(/^\| `([\w.]+)` \| (.+?) \| `(\{.*\})` \|$/gm)]
  expect(rows.map(([, type, meaning]) => [type, meaning])).toEqual(
    Object.entries(sentTypes).map(([type, { meaning }]) => [type, meaning]),
  )
  for (const [, type = '', , example = ''] of rows) {
    const { data, example: declared } = sentTypes[type] ?? {}
    expect([type, JSON.parse(example)]).toEqual([type, declared])
    expect([type, data && Value.Check(data, JSON.parse(example))]).toEqual([type, true])
  }
})

test('the examples of the OpenAPI document match their schemas', () => {
  for (const { type, body, example } of webhookMessages)
    expect([type, Value.Check(body, example)]).toEqual([type, true])
  expect(
    Value.Check(bodySchemaOf('a', sentTypes['user.deleted']?.data ?? {}), { type: 'b', timestamp: '', data: {} }),
  ).toBe(false)
})

test('docs/webhooks.md has the pauses of the schedule, and their sum', () => {
  const [, text = ''] = /\*\*after 5 seconds, (.*?)\*\*/.exec(page) ?? []
  const [minutes, hours] = [
    [300, 1_800],
    [7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  ]
  expect(pausesSeconds).toEqual([5, ...(minutes ?? []), ...(hours ?? [])])
  expect(text).toBe('5 minutes, 30 minutes, 2, 5, 10, 14, 20 and 24 hours')
  expect(Math.ceil(pausesSeconds.reduce((sum: number, pause) => sum + pause, 0) / 3_600)).toBe(76)
})

test('the receiver in docs/webhooks.md accepts a webhook once, and rejects one signed with another secret', async () => {
  const [, program = ''] = /```js\n(.*?)```/s.exec(page) ?? []
  const service = await serviceForTest({ env: receiverEnv })
  const admin = await service.person({ role: 'admin' })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const endpoint = await registerEndpoint(service, admin.token, { url, events: ['user.created'] })
  // Next to the dependencies that it imports.
  const file = join(root, 'node_modules', `receiver-${port}.mjs`)
  writeFileSync(file, program)
  onTestFinished(() => rmSync(file))
  const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: endpoint.secret }
  const receiver = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void receiver.kill())
  let printed = ''
  receiver.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  const listens = () =>
    fetch(url, { method: 'POST' }).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(listens, { timeout: 20_000 }).toBe(400)
  const person = await service.person()
  const node = await nodeForTest(service)
  await node.deliver()
  const states = () => service.sql('select state, status from webhook_delivery')
  expect(await states()).toEqual([{ state: 'delivered', status: 204 }])
  await service.sql(`update webhook_delivery set state = 'pending', next_at = now()`)
  await node.deliver()
  await expect.poll(() => printed).toMatch(/\n$/)
  expect(printed.split('\n')).toEqual([expect.stringContaining(`user.created {"id":"${person.id}"`), ''])
  await service.post(`${webhooksPath}/${endpoint.id}/rotate`, { token: admin.token, body: { overlapSeconds: 0 } })
  await service.sql(`update webhook_delivery set state = 'pending', next_at = now()`)
  await node.deliver()
  expect(await states()).toEqual([{ state: 'pending', status: 400 }])
})
