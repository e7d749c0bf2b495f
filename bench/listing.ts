import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { request } from 'undici'
import { listStatement } from '../src/accounts/listing-sql.ts'
import { populated, startBenchServer } from './harness/databases.ts'
import { loadBefore, type Question, round, spreadOf, takeTurns, writeResult } from './harness/measure.ts'
import { type BenchService, startBenchService } from './harness/service.ts'

/**
 * The listing at several sizes, side by side: pages at any depth, first pages, searches, and the whole list beside psql's COPY.
 * npm run bench -- listing [--sizes 1000,100000,1000000] [--rounds 60] [--exports 4]
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    rounds: { type: 'string', default: '60' },
    exports: { type: 'string', default: '4' },
  },
  allowPositionals: true,
})
const sizes = values.sizes.split(',').map(Number)
const rounds = Number(values.rounds)
const path = '/api/v1/admin/users/fetch'

const load = loadBefore()
const server = await startBenchServer()
const databases = new Map<number, string>()
const services = new Map<number, BenchService>()
try {
  for (const size of sizes) databases.set(size, await populated(server, size))
  for (const [size, url] of databases) services.set(size, await startBenchService(url))
  const largest = Math.max(...sizes)
  const pages = await comparePages()
  const searches = await compareSearches(serviceOf(largest))
  const exports = await compareExports(serviceOf(largest), databases.get(largest) ?? '')
  const result = { sizes, load, pages, searches, exports }
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n${writeResult('listing', result)}\n`)
} finally {
  for (const service of services.values()) await service.stop()
  await server.stop()
}

/** First pages of every size and, at the largest, pages ever deeper; 100 users each. */
async function comparePages() {
  const first: Question[] = sizes.map((size) => ({
    name: `first of ${size}`,
    service: serviceOf(size),
    path: () => `${path}?limit=100`,
  }))
  const largest = Math.max(...sizes)
  const deep: Question[] = []
  for (const sort of ['created', '-email']) {
    const cursors = await deepCursors(serviceOf(largest), sort, [0.1, 0.5, 0.9])
    for (const [share, cursor] of cursors)
      deep.push({
        name: `${sort} at ${share * 100} % of ${largest}`,
        service: serviceOf(largest),
        path: () => `${path}?limit=100&sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      })
  }
  return Object.fromEntries(await takeTurns([...first, ...deep], rounds))
}

/** Cursors at shares of the list, by paging there; the empty one stands for the beginning. */
async function deepCursors(service: BenchService, sort: string, shares: readonly number[]) {
  const total = Number((await ask(service, `${path}?limit=1&count=exact`)).headers['total-count'])
  const found: [number, string][] = [[0, '']]
  let next = `${path}?limit=1000&sort=${sort}`
  for (let seen = 0; found.length <= shares.length; ) {
    const { headers } = await ask(service, next)
    next = /^<(.+)>;/.exec(String(headers.link))?.[1] ?? ''
    seen += 1_000
    const share = shares[found.length - 1]
    if (next === '' || share === undefined) break
    if (seen >= share * total) found.push([share, new URLSearchParams(next.split('?')[1]).get('cursor') ?? ''])
  }
  return found
}

/** Rare, common, short, and what matches nobody; each in the order that suits it least as well. */
async function compareSearches(service: BenchService) {
  const patterns = {
    rare: 'quentin.petrov7777',
    middling: 'zuzanna.w',
    'one in twenty': 'corp.example',
    'in every second': '.com',
    everywhere: '@',
    nobody: 'nobody.at.all',
    'nobody, of common parts': 'com@gmail',
    'nobody, two characters': 'qz',
    'nobody, one character': '#',
    'two common characters': 'an',
    'two digits and a sign': '7@',
  }
  const questions = Object.entries(patterns).flatMap(([kind, pattern]) =>
    ['created', '-created', 'email', '-email'].map((sort) => ({
      name: `${kind}, ${sort}`,
      service,
      path: () => `${path}?limit=100&sort=${sort}&email=${encodeURIComponent(pattern)}`,
    })),
  )
  return Object.fromEntries(await takeTurns(questions, Math.ceil(rounds / 3)))
}

/** The whole list over HTTP and psql's COPY of the same rows, taking turns; rates in rows a second. */
async function compareExports(service: BenchService, databaseUrl: string) {
  const ratios: number[] = []
  const seconds: { ours: number; copy: number }[] = []
  const idle = service.rssMiB().now
  let bytes = 0
  let peak = 0
  for (let turn = 0; turn < Number(values.exports); turn += 1) {
    const copy = await copySeconds(databaseUrl)
    service.forgetPeak()
    const begunAt = performance.now()
    bytes = await drain(service)
    const ours = (performance.now() - begunAt) / 1_000
    peak = Math.max(peak, service.rssMiB().peak)
    seconds.push({ ours: round(ours), copy: round(copy) })
    ratios.push(copy / ours)
  }
  return { ratio: spreadOf(ratios), seconds, bytes, idleMiB: idle, peakMiB: peak, aboveIdleMiB: peak - idle }
}

async function drain(service: BenchService): Promise<number> {
  const { body, statusCode } = await request(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${service.token}` },
    bodyTimeout: 0,
  })
  if (statusCode !== 200) throw new Error(`the export answered ${statusCode}`)
  let bytes = 0
  for await (const chunk of body) bytes += chunk.length
  return bytes
}

async function copySeconds(databaseUrl: string): Promise<number> {
  const { statement } = listStatement({}, 'created', 'json')
  const begunAt = performance.now()
  const psql = spawn('psql', [databaseUrl, '-qc', `copy (${statement.text}) to stdout`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  psql.stdout.resume()
  const [code] = await once(psql, 'exit')
  if (code !== 0) throw new Error(`psql ended with ${code}`)
  return (performance.now() - begunAt) / 1_000
}

async function ask(service: BenchService, where: string) {
  const answer = await request(`${service.url}${where}`, { headers: { authorization: `Bearer ${service.token}` } })
  await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${where} answered ${answer.statusCode}`)
  return answer
}

function serviceOf(size: number): BenchService {
  const service = services.get(size)
  if (!service) throw new Error(`no service has ${size} users`)
  return service
}
