import { once } from 'node:events'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { populatedDatabase, startBenchServer } from './harness/databases.ts'
import { getRequest, startLoad } from './harness/load.ts'
import { type Compared, sideBySide } from './harness/pairs.ts'
import { type Figure, loadBefore, report } from './harness/report.ts'
import { type BenchService, startBenchService } from './harness/service.ts'

/**
 * Warm user/data with 1 and with 100 of 100 requests traced, compared with no collector. The collector accepts and
 * reads everything. With `--before`, also compares another build (its dist/bundle/main.cjs), such as one without the
 * packages.
 * npm run bench -- tracing [--pairs 12] [--before /folder/dist/bundle/main.cjs]
 */
const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '12' }, before: { type: 'string' } },
})
const options = { pairs: Number(values.pairs), sliceMs: 1_000 }
const callers = 900

const load = loadBefore()
const server = await startBenchServer()
const collector = createServer(async (request, response) => {
  for await (const _ of request);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}).listen(0, '127.0.0.1')
await once(collector, 'listening')
const address = collector.address()
const collectorUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
const services = new Set<BenchService>()
const driver = startLoad({ connections: 64 })
try {
  const url = await populatedDatabase(server, 1_000)
  const traced = (percent: string) => ({ MUSTER_OTLP_URL: collectorUrl, MUSTER_TRACES_PERCENT: percent })
  const candidates = [
    { name: '1 of 100 requests traced', env: traced('1'), atLeast: 0.9 },
    { name: 'every request traced', env: traced('100') },
    ...(values.before === undefined
      ? []
      : [{ name: 'the other build', env: {}, program: values.before, atMost: 1.02 }]),
  ]
  const compared: Compared[] = []
  const figures: Figure[] = []
  for (const { name, env, program, ...target } of candidates) {
    // Restart both, because a process keeps getting faster for minutes.
    const pair = [await open(url), await open(url, env, program)] as const
    const [off, other] = pair
    const tokens = await off.tokens(callers)
    const requests = tokens.map((token) => getRequest('/api/v1/user/data', { authorization: `Bearer ${token}` }))
    const base = { name: 'off', server: off, requests }
    const one = await sideBySide(driver, base, { name, server: other, requests }, options)
    compared.push(one)
    figures.push({ what: `${name}: CPU ratio to off`, is: one.cpuRatio, ...target })
    figures.push({ what: `${name}: requests/s, ratio to off`, is: one.rateRatio })
    for (const service of pair) await service.stop()
    services.clear()
  }
  await report(figures, load)
} finally {
  driver.stop()
  for (const service of services) await service.stop()
  collector.close()
  await server.close()
}

async function open(url: string, env: Readonly<Record<string, string>> = {}, program?: string): Promise<BenchService> {
  const service = await startBenchService(url, env, { program })
  services.add(service)
  return service
}
