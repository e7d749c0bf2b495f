import { parseArgs } from 'node:util'
import { request } from 'undici'
import { emptyDatabase, populatedDatabase, startBenchServer } from './harness/databases.ts'
import { getRequest, startLoad } from './harness/load.ts'
import { type Candidate, type Compared, sideBySide } from './harness/pairs.ts'
import { rssMiBOf } from './harness/processes.ts'
import { type Figure, loadBefore, report } from './harness/report.ts'
import { type BenchService, freePort, startBenchService } from './harness/service.ts'
import { spreadOf } from './harness/spread.ts'
import { betterAuth } from './peers/better-auth.ts'
import { directus } from './peers/directus.ts'
import { installed } from './peers/packages.ts'
import { parseServer } from './peers/parse-server.ts'
import type { Peer, PeerQuestion, RunningPeer } from './peers/peer.ts'

/**
 * Muster compared with other account services: the same PostgreSQL, the same load, alternating slices.
 * npm run bench -- peers [--only better-auth,parse-server,directus] [--users 1000] [--connections 32] [--pairs 7]
 * The peers come from the npm registry and are kept in MUSTER_BENCH_PEERS_DIR. Exits with 1 if a target was missed or a
 * peer could not be measured. Server and load have one core each if the machine has two, and PostgreSQL has all of
 * them.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'better-auth,parse-server,directus' },
    users: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '32' },
    pairs: { type: 'string', default: '7' },
  },
})
const users = Number(values.users)
const connections = Number(values.connections)
const pairs = Number(values.pairs)
const sliceMs = 2_000
const warmUpMsMax = 60_000

/** The results of Muster and a peer from alternating slices; the peer is the base. */
interface PeerComparison extends Compared {
  readonly target?: number
  readonly peakMiB: { readonly muster: number; readonly peer: number }
  /** False if the peer was still getting faster when the warm-up ended. */
  readonly isWarm: boolean
}

const chosen = [betterAuth, parseServer, directus].filter(({ name }) => values.only.split(',').includes(name))
const server = await startBenchServer()
const driver = startLoad({ connections })
try {
  const service = await startBenchService(await populatedDatabase(server, users * 2))
  try {
    const tokens = await service.tokens(users)
    for (const peer of chosen)
      await measurePeer(peer, service, tokens).catch((error: unknown) => {
        print(`${peer.name}: NOT MEASURED: ${error instanceof Error ? error.message : String(error)}`)
        process.exitCode = 1
      })
  } finally {
    await service.stop()
  }
} finally {
  driver.stop()
  await server.close()
}

async function measurePeer(peer: Peer, service: BenchService, tokens: readonly string[]): Promise<void> {
  const packages = Object.entries(peer.packages).map((entry) => entry.join('@'))
  print(`${peer.name}: installing ${packages.join(' ')}`)
  const folder = installed(peer.name, peer.packages)
  const databaseUrl = await emptyDatabase(server, `bench_peer_${peer.name.replace('-', '_')}`)
  print(`${peer.name}: starting and signing up ${users} users`)
  const load = loadBefore()
  const running = await peer.start({ folder, databaseUrl, port: await freePort(), users })
  const compared: PeerComparison[] = []
  try {
    for (const question of running.questions)
      compared.push(await compare(`${packages[0]} ${question.title}`, running, question, service, tokens))
  } finally {
    await running.stop()
  }
  await report(compared.flatMap(figuresOf), load)
}

async function compare(
  name: string,
  { pid }: RunningPeer,
  question: PeerQuestion,
  service: BenchService,
  tokens: readonly string[],
): Promise<PeerComparison> {
  const { url, callers, target } = question
  await prove(question)
  const at = { ...(question.connections !== undefined && { connections: question.connections }) }
  const { pathname, search } = new URL(url)
  const requests = callers.map((headers) => getRequest(pathname + search, headers))
  const theirs: Candidate = { name, server: { url, pid }, requests, ...at }
  const ours: Candidate = { name, server: service, requests: musterRequests(question, service, tokens), ...at }
  await warmUp(`Muster, ${question.musterAsks}`, ours)
  const isWarm = await warmUp(name, theirs)
  service.forgetPeak()
  const pair = await sideBySide(driver, theirs, ours, { pairs, sliceMs })
  const peakMiB = { muster: service.rssMiB().peak, peer: rssMiBOf(pid).peak }
  return { ...pair, ...(target !== undefined && { target }), peakMiB, isWarm }
}

async function prove({ url, callers, proof, title }: PeerQuestion): Promise<void> {
  const answer = await request(url, { headers: callers[0] ?? {} })
  if (!(await answer.body.text()).includes(proof))
    throw new Error(`${title} does not answer with the caller's own data`)
}

function musterRequests({ musterAsks }: PeerQuestion, { token }: BenchService, tokens: readonly string[]) {
  const of = (path: string) => (one: string) => getRequest(path, { authorization: `Bearer ${one}` })
  return musterAsks === 'admin page'
    ? [token].map(of('/api/v1/admin/users/fetch?limit=100'))
    : tokens.map(of('/api/v1/user/data'))
}

/** Runs until the median of the last three slices is within 5 % of the three before; returns whether it got there. */
async function warmUp(name: string, { server: at, requests, ...more }: Candidate): Promise<boolean> {
  const rates: number[] = []
  for (let ms = sliceMs; ms <= warmUpMsMax; ms += sliceMs) {
    const { answers, seconds } = await driver.run(at, requests, { ...more, ms: sliceMs })
    rates.push(answers / seconds)
    const last = spreadOf(rates.slice(-3)).median
    const before = spreadOf(rates.slice(-6, -3)).median
    if (rates.length < 6 || Math.abs(last / before - 1) > 0.05) continue
    print(`${name}: warm after ${ms / 1_000} s at ${Math.round(last)} requests/s`)
    return true
  }
  print(`${name}: not steady after ${warmUpMsMax / 1_000} s: ${rates.map(Math.round).join(' ')} requests/s`)
  return false
}

function figuresOf(one: PeerComparison): Figure[] {
  const { name, rateRatio, cpuRatio, requestsPerSecond, cpuUs, base, peakMiB, target, isWarm } = one
  const peer = isWarm ? name : `${name} (not steady)`
  return [
    {
      what: `Muster to ${peer}: requests/s`,
      is: rateRatio,
      unit: ' ×',
      ...(target !== undefined && { atLeast: target }),
    },
    { what: `Muster to ${peer}: requests for the same CPU`, is: cpuRatio, unit: ' ×' },
    { what: `${peer}: requests/s`, is: base.requestsPerSecond },
    { what: `${peer}: CPU per request`, is: base.cpuUs, unit: ' µs' },
    { what: `${peer}: peak memory`, is: peakMiB.peer, unit: ' MiB' },
    { what: 'Muster: requests/s', is: requestsPerSecond },
    { what: 'Muster: CPU per request', is: cpuUs, unit: ' µs' },
    { what: 'Muster: peak memory', is: peakMiB.muster, unit: ' MiB' },
  ]
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
