import { once } from 'node:events'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { populatedDatabase, startBenchServer } from './harness/databases.ts'
import { getRequest, startLoad } from './harness/load.ts'
import { type Compared, sideBySide } from './harness/pairs.ts'
import { isPinned } from './harness/processes.ts'
import { type Figure, report } from './harness/report.ts'
import { loadBefore } from './harness/result.ts'
import { type BenchService, startBenchService } from './harness/service.ts'

/**
 * Warm user/data with 1 and with 100 of 100 requests traced, beside the same without a collector. The collector takes everything and
 * reads it. With `--before`, the program of another build (its dist/bundle/main.cjs), such as one without the packages, is compared too.
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
const services: BenchService[] = []
const driver = startLoad({ connections: 64 })
try {
  const url = await populatedDatabase(server, 1_000)
  const open = async (more: Readonly<Record<string, string>>, program?: string) => {
    const service = await startBenchService(url, more, { program })
    services.push(service)
    return service
  }
  const off = await open({})
  const tokens = await off.tokens(callers)
  const requests = tokens.map((token) => getRequest('/api/v1/user/data', { authorization: `Bearer ${token}` }))
  const base = { name: 'off', server: off, requests }
  const traced = (percent: string) => open({ MUSTER_OTLP_URL: collectorUrl, MUSTER_TRACES_PERCENT: percent })
  const candidates = [
    { name: '1 of 100 requests traced', server: await traced('1'), requests, atLeast: 0.9 },
    { name: 'every request traced', server: await traced('100'), requests },
    ...(values.before === undefined
      ? []
      : [{ name: 'the other build', server: await open({}, values.before), requests, atMost: 1.02 }]),
  ]
  const compared: Compared[] = []
  const figures: Figure[] = []
  for (const { atLeast, atMost, ...candidate } of candidates) {
    const one = await sideBySide(driver, base, candidate, options)
    compared.push(one)
    const targets = { ...(atLeast && { atLeast }), ...(atMost && { atMost }) }
    figures.push({ what: `${one.name}: CPU ratio to off`, is: one.cpuRatio, ...targets })
    figures.push({ what: `${one.name}: requests/s, ratio to off`, is: one.rateRatio })
  }
  await report('tracing', figures, { load, isPinned, callers, compared })
} finally {
  driver.stop()
  for (const service of services) await service.stop()
  collector.close()
  await server.stop()
}
