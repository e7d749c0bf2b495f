import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { EngineOptions } from '../../engine/check.ts'
import { openForTest, resultOf, simulatorForTest } from './harness.ts'

async function checkVultr(apiKey: string, options: EngineOptions) {
  const keyChecks = await openForTest(options)
  return resultOf(keyChecks.check({ provider: 'vultr', keyType: 'api_key', apiKey }))
}

test('the base address of a provider may end in a slash', async () => {
  const simulator = await simulatorForTest()
  const { vultr = '' } = simulator.baseUrls
  for (const url of [vultr, `${vultr}/`])
    expect(await checkVultr('vultr-valid', { baseUrls: { vultr: url } })).toEqual({ outcome: 'valid', code: 'valid' })
})

test('504 provider_timeout — a provider that accepts a connection and never answers', async () => {
  const open = new Set<Socket>()
  const silent = createServer((socket) => void open.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    silent.close()
  })
  // The trust boundary to Node: a TCP server has an address of this type.
  const { port } = silent.address() as AddressInfo
  const calls: unknown[] = []
  const outcome = await checkVultr('key', {
    baseUrls: { vultr: `https://127.0.0.1:${port}` },
    limits: { connectTimeoutMs: 200 },
    onCall: ({ errorCode }) => void calls.push(errorCode),
  })
  expect([outcome, calls]).toEqual([{ outcome: 'undetermined', code: 'provider_timeout' }, ['UND_ERR_CONNECT_TIMEOUT']])
})
