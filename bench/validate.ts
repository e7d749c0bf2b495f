import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { distinctTokens, runSlice, type Slice, type SliceOrder } from './harness/check-calls.ts'
import { type Child, type ChildOptions, portIn, startChild } from './harness/child.ts'
import { populatedDatabase, startBenchServer } from './harness/databases.ts'
import { cpuMsOf, pin } from './harness/processes.ts'
import { loadBefore } from './harness/report.ts'
import { startBenchService } from './harness/service.ts'
import { round, spreadOf } from './harness/spread.ts'

/**
 * A check of a provider key compared with a bare call of the same provider, an HTTPS stub that answers immediately or
 * after 50 ms. Two comparisons: the engine in one process, next to a bare pool with as many connections; and the whole
 * service over HTTP, next to a raw server that makes the bare call. Every feature is on, with raised quotas. Every
 * check has a different key.
 * npm run bench -- validate [--pairs 4] [--seconds 2]
 * Exits with 1 if a target is missed: the engine adds at most 2 ms to a single call, and HTTP 5 ms; with 50 ms per
 * call, the rate is at least 0.9 of the bare pool's, and a check over HTTP takes at most 0.7 ms of CPU. No real
 * provider answers immediately: that case compares the CPU of a check with that of a call, and its only target is the
 * engine's.
 */
const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '4' }, seconds: { type: 'string', default: '2' } },
})
const pairs = Number(values.pairs)
const forMs = Number(values.seconds) * 1_000
const addedMsMax = { engine: 2, 'over HTTP': 5 }
const cpuUsMax = 700
const rateRatioMin = 0.9
/**
 * Before the first slice, 128 in parallel: after some 10,000 checks V8 has compiled their whole path, and a check takes half the CPU of the
 * first 1,000.
 */
const warmMs = 10_000

interface Side {
  slice(atOnce: number, forMs: number): Promise<Slice>
}

const load = loadBefore()
const folder = mkdtempSync(join(tmpdir(), 'muster-bench-tls-'))
const children: Child<SliceOrder, Slice>[] = []
/** Starts a program of the harness and waits for its first message. */
const start = async (program: string, options: ChildOptions) => {
  const child = startChild<SliceOrder, Slice>(`harness/${program}.ts`, options)
  children.push(child)
  return { ...child, port: portIn(await child.nextMessage()) }
}
const database = await startBenchServer()
const rows: Row[] = []
try {
  const { certificate, key } = makeCertificate(folder)
  const trust = { NODE_EXTRA_CA_CERTS: certificate }
  const stub = await start('provider-stub', { args: [certificate, key], env: {} })
  const databaseUrl = await populatedDatabase(database, 1_000)
  for (const delayMs of [0, 50]) {
    const baseUrl = `https://127.0.0.1:${stub.port}/d${delayMs}`
    const worker = await start('check-worker', { args: [baseUrl], env: trust })
    const engine = (side: 'ours' | 'bare'): Side => ({
      slice: (atOnce, ms) => worker.ask({ side, atOnce, forMs: ms }),
    })
    const floor = await start('check-floor', { args: [baseUrl], env: trust })
    const service = await startBenchService(databaseUrl, {
      ...trust,
      MUSTER_CLOUDFLARE_URL: baseUrl,
      MUSTER_KEY_CHECKS_PER_MINUTE: '100000000',
      MUSTER_PROVIDER_CALLS_PER_SECOND: '1000000',
      MUSTER_TRUSTED_PROXIES: '127.0.0.1',
    })
    const overHttp = {
      ours: httpSide(service.url, service.cpuMs, await service.tokens(128)),
      bare: httpSide(`http://127.0.0.1:${floor.port}`, () => cpuMsOf(floor.pid)),
    }
    // The measured processes on one core, like in `startBenchService`; the load and the provider on the other.
    for (const { pid } of [worker, floor]) pin(pid, 'measured')
    for (const pid of [stub.pid, process.pid]) pin(pid, 'load')
    for (const side of [engine('bare'), engine('ours'), overHttp.bare, overHttp.ours]) await side.slice(128, warmMs)
    for (const atOnce of [1, 128])
      report(await compare('engine', delayMs, atOnce, { ours: engine('ours'), bare: engine('bare') }))
    for (const atOnce of [1, 32, 128]) report(await compare('over HTTP', delayMs, atOnce, overHttp))
    await service.stop()
  }
  process.stdout.write(`Load before: ${load.join(' ')}.\n`)
  if (rows.some(({ isMet }) => isMet === false)) process.exitCode = 1
} finally {
  for (const child of children) child.stop()
  await database.close()
  rmSync(folder, { recursive: true })
}

type Row = Awaited<ReturnType<typeof compare>>

/** Reported immediately: a result counts even if a later slice is void. */
function report(row: Row): void {
  rows.push(row)
  process.stdout.write(`${lineOf(row)}\n`)
}

/** Pairs of slices, the bare call first and then the check; medians over the pairs. */
async function compare(
  what: keyof typeof addedMsMax,
  delayMs: number,
  atOnce: number,
  { ours, bare }: { ours: Side; bare: Side },
) {
  for (const side of [bare, ours]) await side.slice(atOnce, forMs)
  const found: { readonly ours: Figures; readonly bare: Figures }[] = []
  while (found.length < pairs) {
    const floor = figuresOf(await bare.slice(atOnce, forMs))
    found.push({ bare: floor, ours: figuresOf(await ours.slice(atOnce, forMs)) })
  }
  const of = (figure: (pair: (typeof found)[number]) => number) => spreadOf(found.map(figure))
  const addedMs = of((pair) => pair.ours.p50Ms - pair.bare.p50Ms)
  const rateRatio = of((pair) => pair.ours.perSecond / pair.bare.perSecond)
  const cpuUs = of(({ ours }) => ours.cpuUs)
  const isFast = atOnce === 1 ? addedMs.median <= addedMsMax[what] : rateRatio.median >= rateRatioMin
  // Single calls leave the process idle between its steps, which costs more CPU than the call itself.
  const isMet = isFast && (what === 'engine' || atOnce === 1 || cpuUs.median <= cpuUsMax)
  const isJudged = delayMs > 0 || (what === 'engine' && atOnce === 1)
  return {
    what,
    delayMs,
    atOnce,
    addedMs,
    rateRatio,
    ours: sideOf((figure) => of((pair) => figure(pair.ours))),
    bare: sideOf((figure) => of((pair) => figure(pair.bare))),
    ...(isJudged && { isMet }),
  }
}

type Figures = ReturnType<typeof figuresOf>

function sideOf<T>(of: (figure: (figures: Figures) => number) => T) {
  return {
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    cpuUs: of(({ cpuUs }) => cpuUs),
  }
}

function figuresOf({ calls, seconds, cpuMs, timesMs }: Slice) {
  const sorted = [...timesMs].sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { perSecond: calls / seconds, p50Ms: at(0.5), p99Ms: at(0.99), cpuUs: (cpuMs * 1_000) / calls }
}

function httpSide(url: string, cpuMs: () => number, bearers: readonly string[] = ['any']): Side {
  const pool = new Pool(url, { connections: 128 })
  const token = distinctTokens()
  let next = 0
  // As many users and networks as parallel checks, because checks of one user wait for each other.
  const headers = () => {
    next = (next + 1) % 128
    return {
      'content-type': 'application/json',
      'x-forwarded-for': `198.18.${next}.1`,
      authorization: `Bearer ${bearers[next % bearers.length]}`,
    }
  }
  const call = async () => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/api/v1/provider/keys/validate',
      headers: headers(),
      body: JSON.stringify({ apiKey: token(), keyType: 'api_token' }),
    })
    const text = await body.text()
    if (statusCode !== 200 || !text.includes('"isValid":true'))
      throw new Error(`${url} answered ${statusCode}: ${text}`)
  }
  return {
    async slice(atOnce, ms) {
      const before = cpuMs()
      const slice = await runSlice(call, atOnce, ms)
      return { ...slice, cpuMs: cpuMs() - before }
    },
  }
}

function makeCertificate(where: string): { certificate: string; key: string } {
  const [certificate, key] = [join(where, 'certificate.pem'), join(where, 'key.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...made, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  return { certificate, key }
}

function lineOf({ what, delayMs, atOnce, addedMs, rateRatio, ours, bare, isMet }: Row): string {
  const verdict = isMet === undefined ? '' : isMet ? '  met' : '  MISSED'
  const range = ({ median, min, max }: { median: number; min: number; max: number }) => `${median} (${min}–${max})`
  return [
    `${what}, provider at ${delayMs} ms, ${atOnce} at once${verdict}`,
    `  rate      ${range(rateRatio)} of bare: ${round(ours.perSecond.median)}/s beside ${round(bare.perSecond.median)}/s`,
    `  p50       ${range(addedMs)} ms added: ${ours.p50Ms.median} ms beside ${bare.p50Ms.median} ms; p99 ${ours.p99Ms.median} beside ${bare.p99Ms.median} ms`,
    `  CPU       ${range(ours.cpuUs)} µs a call beside ${range(bare.cpuUs)} µs`,
  ].join('\n')
}
