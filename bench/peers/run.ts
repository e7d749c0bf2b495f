import { once } from 'node:events'
import { createServer } from 'node:net'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { request } from 'undici'
import type { EmbeddedServer } from '../../src/database/embedded.ts'
import { clientConfig } from '../../src/database/link.ts'
import { populated, startBenchServer } from '../harness/databases.ts'
import { loadBefore, round, type Spread, spreadOf, writeResult } from '../harness/measure.ts'
import { canPin, cpuMsOf, peakMiBOf, pin, startPinned } from '../harness/processes.ts'
import { type BenchService, startBenchService } from '../harness/service.ts'
import { tokensFor } from '../harness/tokens.ts'
import { betterAuth } from './better-auth.ts'
import { directus } from './directus.ts'
import { type Load, type Slice, startLoadGenerator } from './load.ts'
import { installed } from './packages.ts'
import { parseServer } from './parse-server.ts'
import type { Peer, PeerQuestion, RunningPeer } from './peer.ts'

/**
 * Muster beside other account services: the same PostgreSQL, the same load, slices that take turns.
 * npm run bench:peers [-- --only better-auth,parse-server,directus] [--users 1000] [--connections 32] [--pairs 7]
 * The peers come from the npm registry into MUSTER_BENCH_PEERS_DIR, which is kept. Ends with 1 where a target was missed or a peer
 * could not be measured. In the result `isPinned` says whether server and load had a core each; PostgreSQL has all of them.
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
const connectionsMost = Number(values.connections)
const pairs = Number(values.pairs)
const sliceSeconds = 2
const warmUpSecondsMax = 60
const serverCore = 0
const loadCore = 1

interface Measured {
  readonly peer: string
  readonly question: string
  readonly muster: Figures
  readonly theirs: Figures
  readonly ratio: Spread
  readonly cpuRatio: Spread
  readonly target?: number
  readonly isMet?: boolean
  /** False where the peer was still getting faster when it was no longer waited for. */
  readonly isWarm: boolean
}

interface Figures {
  readonly requestsPerSecond: Spread
  readonly cpuUsPerRequest: Spread
  readonly peakMiB: number
}

const load = loadBefore()
const chosen = [betterAuth, parseServer, directus].filter(({ name }) => values.only.split(',').includes(name))
const measured: Measured[] = []
const skipped: { peer: string; reason: string }[] = []
const server = await startBenchServer()
const generator = startLoadGenerator(loadCore)
try {
  const databaseUrl = await populated(server, users * 2)
  const service = await startPinned(serverCore, () => startBenchService(databaseUrl))
  try {
    const tokens = await tokensFor(service, databaseUrl, users)
    for (const peer of chosen)
      await beside(peer, service, tokens).catch((error: unknown) => {
        skipped.push({ peer: peer.name, reason: error instanceof Error ? error.message : String(error) })
        say(`${peer.name}: NOT MEASURED: ${skipped.at(-1)?.reason}`)
      })
  } finally {
    await service.stop()
  }
  const { rows } = await asAdmin(server, 'show server_version')
  const setting = {
    users,
    connections: connectionsMost,
    pairs,
    sliceSeconds,
    isPinned: canPin,
    postgresql: rows[0]?.server_version,
  }
  const path = writeResult('peers', { loadBefore: load, ...setting, measured, skipped })
  say(`${table()}\n${path}`)
  process.exitCode = skipped.length > 0 || measured.some(({ isMet }) => isMet === false) ? 1 : 0
} finally {
  generator.stop()
  await server.stop()
}

async function beside(peer: Peer, service: BenchService, tokens: readonly string[]): Promise<void> {
  say(
    `${peer.name}: installing ${Object.entries(peer.packages)
      .map((entry) => entry.join('@'))
      .join(' ')}`,
  )
  const folder = installed(peer.name, peer.packages)
  const databaseUrl = await emptyDatabase(server, `bench_peer_${peer.name.replace('-', '_')}`)
  say(`${peer.name}: starting and signing up ${users} people`)
  const running = await peer.start({ folder, databaseUrl, port: await freePort(), users })
  try {
    pin(running.pid, serverCore)
    for (const question of running.questions) measured.push(await compare(peer, running, question, service, tokens))
  } finally {
    await running.stop()
  }
}

async function compare(
  peer: Peer,
  running: RunningPeer,
  question: PeerQuestion,
  service: BenchService,
  tokens: readonly string[],
): Promise<Measured> {
  const { url, callers, title, target, connections = connectionsMost } = question
  await prove(question)
  const ours = { ...musterLoad(question, service, tokens), connections, cpuMs: () => service.cpuMs() }
  const theirs = { url, callers, connections, cpuMs: () => cpuMsOf(running.pid) }
  await warmUp(`Muster, ${question.musterAsks}`, ours)
  const isWarm = await warmUp(`${peer.name} ${title}`, theirs)
  service.forgetPeak()
  const slices: [Slice, Slice][] = []
  for (let pair = 0; pair < pairs; pair += 1)
    slices.push([await generator.slice(ours, sliceSeconds), await generator.slice(theirs, sliceSeconds)])
  const ratio = spreadOf(slices.map(([a, b]) => a.requestsPerSecond / b.requestsPerSecond))
  return {
    peer: `${peer.name} ${Object.values(peer.packages)[0]}`,
    question: title,
    muster: figures(
      slices.map(([slice]) => slice),
      service.rssMiB().peak,
    ),
    theirs: figures(
      slices.map(([, slice]) => slice),
      peakMiBOf(running.pid),
    ),
    ratio,
    cpuRatio: spreadOf(slices.map(([a, b]) => b.cpuUsPerRequest / a.cpuUsPerRequest)),
    ...(target !== undefined && { target, isMet: ratio.median >= target }),
    isWarm,
  }
}

async function prove({ url, callers, proof, title }: PeerQuestion): Promise<void> {
  const answer = await request(url, { headers: callers[0] ?? {} })
  if (!(await answer.body.text()).includes(proof))
    throw new Error(`${title} does not answer with the caller's own data`)
}

function musterLoad({ musterAsks }: PeerQuestion, { url, token }: BenchService, tokens: readonly string[]) {
  if (musterAsks === 'admin page')
    return { url: `${url}/api/v1/admin/users/fetch?limit=100`, callers: [{ authorization: `Bearer ${token}` }] }
  return { url: `${url}/api/v1/user/data`, callers: tokens.map((one) => ({ authorization: `Bearer ${one}` })) }
}

/** Until the median of the last three slices is within 5 % of the three before; whether it came to that. */
async function warmUp(name: string, what: Load): Promise<boolean> {
  const rates: number[] = []
  for (let seconds = 0; seconds < warmUpSecondsMax; seconds += sliceSeconds) {
    rates.push((await generator.slice(what, sliceSeconds)).requestsPerSecond)
    const last = spreadOf(rates.slice(-3)).median
    const before = spreadOf(rates.slice(-6, -3)).median
    if (rates.length < 6 || Math.abs(last / before - 1) > 0.05) continue
    say(`${name}: warm after ${seconds + sliceSeconds} s at ${Math.round(last)} requests/s`)
    return true
  }
  say(`${name}: not steady after ${warmUpSecondsMax} s: ${rates.map(Math.round).join(' ')} requests/s`)
  return false
}

function figures(slices: readonly Slice[], peakMiB: number): Figures {
  return {
    requestsPerSecond: spreadOf(slices.map(({ requestsPerSecond }) => requestsPerSecond)),
    cpuUsPerRequest: spreadOf(slices.map(({ cpuUsPerRequest }) => cpuUsPerRequest)),
    peakMiB,
  }
}

function table(): string {
  const head = [
    'peer',
    'asked',
    'requests/s',
    'Muster',
    'CPU µs',
    'Muster',
    'MiB',
    'Muster',
    'ratio',
    'by CPU',
    'target',
    '',
  ]
  const span = ({ median, min, max }: Spread) => `${round(median)} (${round(min)}–${round(max)})`
  const rows = measured.map(({ peer, question, muster, theirs, ratio, cpuRatio, target, isMet, isWarm }) => [
    peer,
    question,
    span(theirs.requestsPerSecond),
    span(muster.requestsPerSecond),
    span(theirs.cpuUsPerRequest),
    span(muster.cpuUsPerRequest),
    String(theirs.peakMiB),
    String(muster.peakMiB),
    span(ratio),
    span(cpuRatio),
    target === undefined ? 'none' : `${target}`,
    `${isMet === undefined ? '' : isMet ? 'pass' : 'MISS'}${isWarm ? '' : ' (peer not steady)'}`,
  ])
  for (const { peer, reason } of skipped) rows.push([peer, `NOT MEASURED: ${reason}`])
  const pinned = canPin ? `server on core ${serverCore}, load on core ${loadCore}, PostgreSQL on all` : 'nothing pinned'
  const said = `Node ${process.version}, ${pinned}; load average before ${load.join(' ')}, after ${loadBefore().join(' ')}`
  return [head, ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
    .replace('\n', `\n|${'---|'.repeat(head.length)}\n`)
    .concat(`\n${said}`)
}

async function emptyDatabase({ superuser, link }: EmbeddedServer, name: string): Promise<string> {
  await asAdmin({ superuser }, `drop database if exists ${name} with (force)`)
  await asAdmin({ superuser }, `create database ${name} owner muster`)
  const { user, password, host, port } = clientConfig(link)
  const opened = typeof password === 'function' ? await password() : password
  return `postgres://${user}:${opened}@${host}:${port}/${name}`
}

async function asAdmin({ superuser }: Pick<EmbeddedServer, 'superuser'>, text: string) {
  const admin = new Client(clientConfig(superuser))
  await admin.connect()
  try {
    return await admin.query<{ server_version?: string }>(text)
  } finally {
    await admin.end()
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
