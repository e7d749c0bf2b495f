import { createServer } from 'node:http'
import { Pool } from 'undici'
import { connectTo } from '../../test/support/raw-http.ts'
import { ask, countsOf, outcomeOf } from './client.ts'
import { createPeople } from './people.ts'
import type { Finding, Section } from './section.ts'
import type { Stage } from './stage.ts'
import { descriptorsOf, until, untilSeen } from './wait.ts'

export const silentSockets: Section = { name: 'silent-sockets', secondsMax: 60, run: freeSilent }
export const descriptors: Section = { name: 'descriptors', secondsMax: 90, run: serveBesideSilent }
export const emfile: Section = { name: 'emfile', secondsMax: 60, run: healAfterEmfile }

/** Clients that send nothing, and never close their side. */
function openSilent(stage: Stage, url: string, count: number): void {
  for (let number = 0; number < count; number += 1) {
    const socket = connectTo(url, { allowHalfOpen: true }).on('error', () => undefined)
    socket.resume()
    stage.onEnd(() => socket.destroy())
  }
}

async function freeSilent(stage: Stage): Promise<readonly Finding[]> {
  const count = 300
  const secondsMax = 20
  const { url, pid } = await stage.node({ databaseUrl: await (await stage.postgres()).newDatabase() })
  const before = descriptorsOf(pid)
  openSilent(stage, url, count)
  await until('the sockets are accepted', 10, () => descriptorsOf(pid) >= before + count)
  const seconds = await until('the sockets are freed', 60, () => descriptorsOf(pid) < before + 20)
  return [
    {
      done: `${count} connections that send nothing and never close`,
      promised: `the service frees them within ${secondsMax} s`,
      seen: `freed after ${seconds.toFixed(1)} s`,
      isKept: seconds <= secondsMax,
    },
  ]
}

async function serveBesideSilent(stage: Stage): Promise<readonly Finding[]> {
  const goodCount = 20
  const secondsMax = 25
  const databaseUrl = await (await stage.postgres()).newDatabase()
  const { url, pid, ...node } = await stage.node({ databaseUrl, descriptorsMax: 1_024 })
  const { users } = await createPeople(databaseUrl, goodCount)
  const before = descriptorsOf(pid)
  openSilent(stage, url, 1_010)
  await until('the sockets are accepted', 10, () => descriptorsOf(pid) >= Math.min(before + 1_000, 1_015))
  const startedAt = performance.now()
  const read = (token: string) => ask(`${url}/api/v1/user/data`, { token, timeoutMs: 10_000 })
  let first = 0
  const served = await Promise.all(
    users.map(async ({ token }) => {
      if ((await outcomeOf(`${url}/api/v1/user/data`, { token, timeoutMs: 10_000 })) === '200') first += 1
      await until('a good client is served', secondsMax, () => read(token).then(({ status }) => status === 200, no))
      return (performance.now() - startedAt) / 1_000
    }),
  )
  return [
    {
      done: `1,010 connections that send nothing, at ulimit -n 1024, then ${goodCount} good clients that try again`,
      promised: `${goodCount} of ${goodCount} served within ${secondsMax} s, the process lives`,
      seen: `${served.length} of ${goodCount} within ${Math.max(...served).toFixed(1)} s, ${first} at the first attempt`,
      isKept: served.length === goodCount && node.isRunning(),
    },
  ]
}

async function healAfterEmfile(stage: Stage): Promise<readonly Finding[]> {
  const descriptorsMax = 256
  const provider = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"success":true,"result":{"id":"1","status":"active"}}')
  }).listen(0, '127.0.0.1')
  await until('the provider listens', 5, () => provider.listening)
  stage.onEnd(() => void provider.close())
  const address = provider.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const databaseUrl = await (await stage.postgres()).newDatabase()
  const env = { MUSTER_CLOUDFLARE_URL: `http://127.0.0.1:${port}` }
  const node = await stage.node({ databaseUrl, env, descriptorsMax })
  const { users } = await createPeople(databaseUrl, 1)
  const token = users[0]?.token ?? ''
  const dispatcher = new Pool(node.url, { connections: 1 })
  stage.onEnd(() => dispatcher.destroy())
  await ask(`${node.url}/api/v1/user/data`, { token, dispatcher })
  let checks = 0
  const check = () => {
    checks += 1
    const apiKey = `cfut_${String(checks).padStart(40, '0')}`
    const body = { apiKey, keyType: 'api_token' }
    return outcomeOf(`${node.url}/api/v1/provider/keys/validate`, { method: 'POST', token, body, dispatcher })
  }
  const silent = Array.from({ length: 300 }, () => connectTo(node.url).on('error', () => undefined))
  await until('no descriptor is left', 10, () => descriptorsOf(node.pid) >= descriptorsMax - 2)
  const during = await Promise.all([check(), check(), check()])
  for (const socket of silent) socket.destroy()
  const seconds = await untilSeen('key checks work', 30, '200', check)
  const isWell = (await outcomeOf(`${node.url}/readyz`)) === '200' && node.isRunning()
  return [
    {
      done: 'key checks while the process has no descriptor left (EMFILE), the first ones after its start; then they are freed',
      promised: 'key checks work again without a restart, within 15 s',
      seen: `meanwhile ${countsOf(during)}; ${seconds.toFixed(1)} s later valid`,
      isKept: isWell && seconds <= 15,
    },
  ]
}

function no(): boolean {
  return false
}
