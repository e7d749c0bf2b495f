import { parseArgs } from 'node:util'
import { request } from 'undici'
import { populatedDatabase, startBenchServer } from './harness/databases.ts'
import { startFloor } from './harness/floor.ts'
import { getRequest, startLoad } from './harness/load.ts'
import { type Candidate, type Compared, sideBySide } from './harness/pairs.ts'
import { isPinned } from './harness/processes.ts'
import { type Figure, report } from './harness/report.ts'
import { loadBefore } from './harness/result.ts'
import { type BenchService, startBenchService } from './harness/service.ts'

/**
 * user/data beside a raw node:http server that answers the same bytes, head and body: warm (the response is cached) and cold (nothing
 * is cached, the token is known), each at two sizes of the population. Warm also beside a bare Fastify route that answers the same
 * bytes, and 304 beside warm, of the same service.
 * npm run bench -- user-data [--pairs 12] [--sizes 1000,1000000]
 */
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '12' },
    sizes: { type: 'string', default: '1000,1000000' },
    'slice-ms': { type: 'string', default: '1000' },
  },
})
const sizes = values.sizes.split(',').map(Number)
const path = '/api/v1/user/data'
const callers = 900
const connections = 64
/** Headers that Node adds by itself, or that follow from the body. */
const ofNode = new Set(['date', 'connection', 'keep-alive', 'content-length'])

const load = loadBefore()
const server = await startBenchServer()
const services: BenchService[] = []
const driver = startLoad({ connections })
try {
  const candidates: Candidate[] = []
  const unchanged: { warm: Candidate; candidate: Candidate }[] = []
  let body = ''
  let headers: Readonly<Record<string, string>> = {}
  let asked: readonly string[] = []
  for (const size of sizes) {
    const url = await populatedDatabase(server, size)
    const keeping = await open(url, {})
    const tokens = await keeping.tokens(callers)
    const answers = await ask(keeping, tokens)
    const usual = answers.toSorted((one, other) => one.body.length - other.body.length)[callers / 2]
    body = usual?.body ?? ''
    headers = usual?.headers ?? {}
    const requests = tokens.map((token) => getRequest(path, { authorization: `Bearer ${token}` }))
    asked = requests
    const conditional = answers.map(({ token, headers: { etag = '' } }) =>
      getRequest(path, { authorization: `Bearer ${token}`, 'if-none-match': etag }),
    )
    const asking = await open(url, { MUSTER_CACHE_MIB: '0' })
    const warm = { name: `warm, ${size} accounts`, server: keeping, requests }
    candidates.push(warm, { name: `cold, ${size} accounts`, server: asking, requests })
    unchanged.push({
      warm,
      candidate: { ...warm, name: `304, ${size} accounts`, requests: conditional, expected: '304' },
    })
  }
  const floor = await startFloor({ kind: 'http', body, headers })
  const route = await startFloor({ kind: 'fastify', body, headers })
  const base = { name: 'floor', server: floor, requests: asked }
  const bareRoute = { name: 'bare route', server: route, requests: asked }
  const options = { pairs: Number(values.pairs), sliceMs: Number(values['slice-ms']) }
  const compared: Compared[] = []
  for (const candidate of candidates) compared.push(await sideBySide(driver, base, candidate, options))
  const toRoute: Compared[] = []
  for (const { warm } of unchanged) toRoute.push(await sideBySide(driver, bareRoute, warm, options))
  floor.stop()
  route.stop()
  const toWarm: Compared[] = []
  // The two are so close that it takes many pairs to tell them apart.
  const more = { pairs: options.pairs * 4, sliceMs: options.sliceMs / 2 }
  for (const { warm, candidate } of unchanged) toWarm.push(await sideBySide(driver, warm, candidate, more))
  const figures = [...figuresOf(compared), ...toRoute.flatMap(figuresToRoute), ...toWarm.flatMap(figuresToWarm)]
  await report('user-data', figures, { load, isPinned, connections, callers, compared, toRoute, toWarm })
} finally {
  driver.stop()
  for (const service of services) await service.stop()
  await server.stop()
}

async function open(url: string, more: Readonly<Record<string, string>>): Promise<BenchService> {
  const service = await startBenchService(url, more)
  services.push(service)
  return service
}

/** The answer of each caller, read once: for the floor's bytes and for If-None-Match. */
async function ask({ url }: BenchService, tokens: readonly string[]) {
  const answers: { token: string; body: string; headers: Record<string, string> }[] = []
  for (const token of tokens) {
    const { statusCode, headers, body } = await request(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (statusCode !== 200) throw new Error(`user/data answered ${statusCode}`)
    const own = Object.entries(headers).filter(([name]) => !ofNode.has(name))
    answers.push({
      token,
      body: await body.text(),
      headers: Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
    })
  }
  return answers
}

function figuresOf(compared: readonly Compared[]): Figure[] {
  const targets: Readonly<Record<string, number>> = { warm: 0.6, cold: 0.25 }
  const of = (name: string) => compared.find((one) => one.name === name)
  const figures: Figure[] = compared.flatMap(({ name, cpuRatio, rateRatio, cpuUs, p50Ms, p99Ms }) => [
    { what: `${name}: CPU ratio to the floor`, is: cpuRatio, ...atLeast(targets[name.split(',')[0] ?? '']) },
    { what: `${name}: requests/s, ratio to the floor`, is: rateRatio },
    { what: `${name}: CPU a request`, is: cpuUs, unit: ' µs' },
    { what: `${name}: p50`, is: p50Ms, unit: ' ms' },
    { what: `${name}: p99`, is: p99Ms, unit: ' ms' },
  ])
  const [small, large] = [Math.min(...sizes), Math.max(...sizes)]
  for (const kind of small === large ? [] : ['warm', 'cold']) {
    const [one, other] = [of(`${kind}, ${small} accounts`), of(`${kind}, ${large} accounts`)]
    if (!one || !other) continue
    const ratio = one.cpuRatio.median / other.cpuRatio.median
    figures.push({ what: `${kind}: CPU at ${large} accounts to ${small}`, is: ratio, atMost: 1.3 })
    const p50 = other.p50Ratio.median / one.p50Ratio.median
    figures.push({ what: `${kind}: p50 at ${large} accounts to ${small}, each to the floor's`, is: p50, atMost: 1.3 })
  }
  return figures
}

function figuresToRoute({ name, cpuRatio, rateRatio, base }: Compared): Figure[] {
  return [
    { what: `${name}: CPU ratio to a bare Fastify route`, is: cpuRatio, atLeast: 0.8 },
    { what: `${name}: requests/s, ratio to a bare Fastify route`, is: rateRatio },
    { what: `${name}: CPU a request of the bare route`, is: base.cpuUs, unit: ' µs' },
  ]
}

function figuresToWarm({ name, cpuRatio, rateRatio, cpuUs }: Compared): Figure[] {
  return [
    { what: `${name}: CPU ratio to warm`, is: cpuRatio, atLeast: 1 },
    { what: `${name}: requests/s, ratio to warm`, is: rateRatio },
    { what: `${name}: CPU a request`, is: cpuUs, unit: ' µs' },
  ]
}

function atLeast(target: number | undefined): { atLeast?: number } {
  return target === undefined ? {} : { atLeast: target }
}
