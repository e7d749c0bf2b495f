import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { Pool } from 'undici'
import { connectTo } from '../../test/support/raw-http.ts'
import { createCallers } from './callers.ts'
import { ask, countsOf, outcomeOf } from './client.ts'
import type { Finding, Section, Stage } from './stage.ts'
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
  const count = 1_010
  const goodCount = 20
  const databaseUrl = await (await stage.postgres()).newDatabase()
  const { url, pid, ...node } = await stage.node({ databaseUrl, descriptorsMax: 1_024 })
  const { users } = await createCallers(databaseUrl, goodCount)
  const before = descriptorsOf(pid)
  openSilent(stage, url, count)
  let open = before
  await until('the sockets are accepted', 10, () => {
    const grown = descriptorsOf(pid) - open
    open += grown
    return open > before + count / 2 && grown === 0
  })
  const startedAt = performance.now()
  const outcomes = await Promise.all(users.map(({ token }) => outcomeOf(`${url}/api/v1/user/data`, { token })))
  const seconds = (performance.now() - startedAt) / 1_000
  const served = outcomes.filter((outcome) => outcome === '200').length
  return [
    {
      done: `${count} connections that send nothing, at ulimit -n 1024, then ${goodCount} good clients that try once`,
      promised: `${goodCount} of ${goodCount} served, the process lives`,
      seen: `${countsOf(outcomes)} within ${seconds.toFixed(1)} s, besides ${open - before} open connections`,
      isKept: served === goodCount && node.isRunning(),
    },
  ]
}

async function healAfterEmfile(stage: Stage): Promise<readonly Finding[]> {
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
  const node = await stage.node({ databaseUrl, env })
  const { users } = await createCallers(databaseUrl, 1)
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
  await limitDescriptors(node.pid, 1)
  const during = await Promise.all([check(), check(), check()])
  await limitDescriptors(node.pid, 1_024)
  const seconds = await untilSeen('key checks work', 30, '200', check)
  const isWell = (await outcomeOf(`${node.url}/readyz`)) === '200' && node.isRunning()
  return [
    {
      done: 'key checks while the process has no file descriptor left (EMFILE), also the first ones after its start; then they are freed',
      promised: 'key checks work again without a restart, within 15 s',
      seen: `meanwhile ${countsOf(during)}; ${seconds.toFixed(1)} s later valid`,
      isKept: isWell && seconds <= 15,
    },
  ]
}

/** For a running process: open descriptors stay, and a limit of 1 allows no new ones. */
async function limitDescriptors(pid: number, max: number): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--nofile=${max}:`])
}
