import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openKeyChecks } from '../../engine/check.ts'
import { resultOf } from './harness.ts'

function answer(status: string, body: object): string {
  const text = JSON.stringify(body)
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

const yes = answer('200 OK', { domains: [], meta: { total: 0 } })
const no = answer('401 Unauthorized', { error: 'Invalid API token.', status: 401 })

test('a duplicate answer is never taken for the answer to the next credential', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.on('data', (head) => {
      const isGood = head.toString('latin1').includes('Bearer good')
      // The second copy arrives before the answer to the next call on this connection.
      socket.write(isGood ? yes + yes : no)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The trust boundary to Node: a TCP server has an address of this type.
  const { port } = server.address() as AddressInfo
  const keyChecks = await openKeyChecks({ baseUrls: { vultr: `http://127.0.0.1:${port}` } })
  onTestFinished(async () => {
    await keyChecks.close()
    server.close()
  })
  const check = (apiKey: string) => resultOf(keyChecks.check({ provider: 'vultr', keyType: 'api_key', apiKey }))
  for (let round = 0; round < 5; round += 1) {
    expect(await check(`good-${round}`)).toEqual({ outcome: 'valid', code: 'valid' })
    expect(await check(`junk-${round}`)).toEqual({ outcome: 'invalid', code: 'not_recognised' })
  }
  expect(connections).toBe(10)
})
