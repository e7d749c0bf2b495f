import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createMuster, isProblem, type Muster, type User } from '../../client/src/index.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
let muster: Muster
beforeAll(async () => {
  service = await startService()
  const { token } = await service.person({ role: 'admin' })
  muster = createMuster({ baseUrl: service.url, token: () => token })
})
afterAll(() => service.stop())

test('pages lose no user who stays, and show none twice, while users come, go and change', async () => {
  const before = await people(25)
  const [gone = '', renamed = ''] = before.slice(20)
  const seen: string[] = []
  for await (const { id } of muster.users({ role: 'user', limit: 5 })) {
    seen.push(id)
    if (seen.length !== 3) continue
    await people(5)
    await service.sql('delete from account where id = any($1)', [[seen[0], gone]])
    await service.sql(`update account set email = 'a' || email where id = any($1)`, [[seen[1], renamed]])
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expect.arrayContaining(before.filter((id) => id !== gone)))
})

test('the stream has every user, with the filters of the pages', async () => {
  const ids = await people(3)
  const all = await collect(muster.streamUsers())
  expect(all.map(({ id }) => id)).toEqual((await collect(muster.users())).map(({ id }) => id))
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  expect(await collect(muster.streamUsers({ role: 'admin' }))).toMatchObject([{ role: 'admin' }])
  expect(await collect(muster.streamUsers({ email: 'not-there' }))).toEqual([])
})

test('a refusal of either list is a problem that is thrown', async () => {
  const other = createMuster({ baseUrl: service.url, token: () => 'wrong' })
  await expect(collect(other.users())).rejects.toSatisfy((error) =>
    isProblem(error, 'token_malformed', 'token_invalid'),
  )
  await expect(collect(other.streamUsers())).rejects.toSatisfy((error) => isProblem(error))
})

const line = '{"id":"1","role":"user","orgs":[]}\n'

test.each([
  ['within a line by a proxy that ends the answer', `${line}{"id":"2","ro`, 'end'],
  ['between two lines, before the end of a line', line.trim(), 'end'],
  ['by a connection that is reset', line, 'destroy'],
] as const)('a stream that breaks off is an error and never a short list: %s', async (_, text, ending) => {
  const broken = createMuster({ baseUrl: await answering(text, ending) })
  await expect(collect(broken.streamUsers())).rejects.toThrow()
})

// A request that was collected no longer passes on its signal.
test.each([
  ['while the answer is read', 'stay'],
  ['before the answer begins', 'silent'],
] as const)('an abort ends a transfer after a garbage collection, %s', async (_, then) => {
  const requests = new EventEmitter()
  const arrived = once(requests, 'sent')
  const endless = createMuster({ baseUrl: await answering(line, then, () => requests.emit('sent')) })
  const controller = new AbortController()
  const read = collect(endless.streamUsers({}, { signal: controller.signal }))
  const aborted = expect(read).rejects.toMatchObject({ name: 'AbortError' })
  await arrived
  await collectGarbage()
  controller.abort()
  await aborted
})

test('a loop over the stream that is left, and one that is aborted, end the transfer', async () => {
  const endless = createMuster({ baseUrl: await answering(line, 'stay') })
  for await (const user of endless.streamUsers()) {
    expect(user.id).toBe('1')
    break
  }
  const controller = new AbortController()
  const read = async () => {
    for await (const _ of endless.streamUsers({}, { signal: controller.signal })) controller.abort()
  }
  await expect(read()).rejects.toMatchObject({ name: 'AbortError' })
})

async function people(count: number): Promise<string[]> {
  const rows = await service.sql<{ id: string }>(
    `insert into account (email) select md5(random()::text) || '@example.com' from generate_series(1, $1) returning id`,
    [count],
  )
  return rows.map(({ id }) => id)
}

async function collect(users: AsyncIterable<User>): Promise<User[]> {
  const all: User[] = []
  for await (const user of users) all.push(user)
  return all
}

/** A server that answers every request with this text, and then ends the answer, resets the connection, or does neither; or is silent. */
async function answering(
  text: string,
  then: 'end' | 'destroy' | 'stay' | 'silent',
  onSent: () => unknown = () => undefined,
): Promise<string> {
  const server = createServer((_, response) => {
    if (then === 'silent') return void onSent()
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write(text, () => {
      onSent()
      if (then === 'end') response.end()
      if (then === 'destroy') response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    // Waits until the client has closed every connection of a transfer that it left.
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
