import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openKeyChecks } from '../key-check/engine/check.ts'
import type { KeyChecks, Result } from '../key-check/index.ts'
import type { FaultName } from '../simulators/cloudflare/faults.ts'
import { faults, isFaultName } from '../simulators/cloudflare/faults.ts'
import type { SimulatedToken } from '../simulators/cloudflare/state.ts'
import { accountId, synthetic } from '../simulators/cloudflare/state.ts'
import type { FaultMessage } from './harness/fault-provider.ts'
import { watchStalls } from './harness/stalls.ts'

/**
 * Checks tokens of known state at a provider that returns a random fault in two of three answers.
 * npm run bench -- faults [--checks 10000] [--seed 1].
 * The same seed draws the same tokens and faults. Exits with 1 for a wrong verdict, a late answer that this process did
 * not cause, more calls than allowed, an uncaught error, or a growing heap.
 */
const { values } = parseArgs({
  options: { checks: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
})
const checks = Number(values.checks)
const atOnce = 50
const deadlineMs = 500
/** Tolerance beyond the deadline, because timers are late on a busy machine. */
const graceMs = 100
/** Maximum heap growth after the first fifth, when all code has run once. */
const heapGrowthMiBMax = 10

const random = seeded(Number(values.seed))
let nowMs = Date.now()
const provider = fork(join(import.meta.dirname, 'harness', 'fault-provider.ts'))
const [ready] = await once(provider, 'message')
const waiting = new Map<number, (calls: number) => void>()
provider.on('message', ({ id, calls = 0 }: { id: number; calls?: number }) => {
  waiting.get(id)?.(calls)
  waiting.delete(id)
})
const keyChecks = await openKeyChecks({
  defaultProvider: 'cloudflare',
  baseUrls: { cloudflare: ready.url },
  now: () => nowMs,
  // Circuit breaker and throttle are off: a check that is not made says nothing about the classification.
  limits: { deadlineMs, callsPerSecondMax: 0, breakerCallsMin: Number.POSITIVE_INFINITY },
})
const stalls = watchStalls()

const kinds = ['good', 'goodAccount', 'oldAccount', 'disabled', 'unknown', 'unknownOld'] as const
type Kind = (typeof kinds)[number]

/** The provider's answer about the token without a fault. */
const isGood: Record<Kind, boolean> = {
  good: true,
  goodAccount: true,
  oldAccount: true,
  disabled: false,
  unknown: false,
  unknownOld: false,
}
/** Faults that change the meaning: the verdict then follows the answer, not the token's state. */
const lies: readonly FaultName[] = ['status_revoked', 'transient_10000', 'transient_10001']
const names = Object.keys(faults).filter(isFaultName)

const tally = new Map<string, number>()
const wrong: string[] = []
const late: string[] = []
let stalled = 0
const durations: number[] = []
let callsMost = 0
let uncaught = 0
process.on('unhandledRejection', () => {
  uncaught += 1
})
process.on('uncaughtException', () => {
  uncaught += 1
})

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const startedAt = performance.now()
const memory: { heap: number; rss: number }[] = []
let next = 0
for (let fifth = 1; fifth <= 5; fifth += 1) {
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < (checks * fifth) / 5) await runCheck(next++, keyChecks)
    }),
  )
  collectGarbage()
  const { heapUsed, rss } = process.memoryUsage()
  memory.push({ heap: heapUsed / 2 ** 20, rss: rss / 2 ** 20 })
}
const seconds = (performance.now() - startedAt) / 1_000

durations.sort((one, other) => one - other)
const p99 = durations[Math.ceil(durations.length * 0.99) - 1] ?? 0
const heapGrowth = (memory.at(-1)?.heap ?? 0) - (memory[0]?.heap ?? 0)
const series = (name: 'heap' | 'rss') => memory.map((point) => point[name].toFixed(1)).join(', ')
console.log(`checks                     ${durations.length} in ${seconds.toFixed(1)} s, ${atOnce} at once, seed ${values.seed}
wrong verdicts             ${wrong.length}
over deadline + ${graceMs} ms     ${late.length} (deadline ${deadlineMs} ms, p99 ${p99.toFixed(0)} ms, longest ${durations.at(-1)?.toFixed(0)} ms)
late, not by the engine    ${stalled} (this process did not run for as long: longest pause ${stalls.longestMs().toFixed(0)} ms)
calls of one check, most   ${callsMost} (three, and one retry)
uncaught errors            ${uncaught}
heap after each fifth      ${series('heap')} MiB (grown by ${heapGrowth.toFixed(1)}, at most ${heapGrowthMiBMax})
RSS after each fifth       ${series('rss')} MiB`)
for (const [name, count] of [...tally].sort()) console.log(`  ${name.padEnd(44)}${count}`)
for (const line of [...wrong, ...late].slice(0, 40)) console.log(line)
stalls.stop()
await keyChecks.close()
provider.disconnect()
const isFlat = heapGrowth <= heapGrowthMiBMax
process.exitCode = wrong.length + late.length + uncaught > 0 || callsMost > 4 || !isFlat ? 1 : 0

async function runCheck(number: number, { check }: KeyChecks): Promise<void> {
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'good'
  const token = tokenOf(kind, number)
  const planned = Array.from({ length: 4 }, () => (random() < 2 / 3 ? pick(names) : undefined))
  const details = random() < 0.2
  await sendToProvider({ kind: 'plan', id: 2 * number, token, isKnown: !kind.startsWith('unknown'), faults: planned })
  // After every cool-down and cached verdict of earlier checks.
  nowMs += 400_000
  const startedAtMs = performance.now()
  const result = nameOf(await check({ keyType: 'api_token', apiKey: token.value, capabilities: details }))
  const endedAtMs = performance.now()
  const calls = await sendToProvider({ kind: 'count', id: 2 * number + 1, value: token.value })
  const met = planned.slice(0, calls)
  durations.push(endedAtMs - startedAtMs)
  callsMost = Math.max(callsMost, calls)
  tally.set(result, (tally.get(result) ?? 0) + 1)
  const lateMs = endedAtMs - startedAtMs - deadlineMs - graceMs
  if (lateMs > 0 && stalls.msBetween(startedAtMs, endedAtMs) >= lateMs) stalled += 1
  else if (lateMs > 0) late.push(`LATE check ${number} by ${lateMs.toFixed(0)} ms: ${result} after ${met.join(', ')}`)
  const isLied = met.some((fault) => fault !== undefined && lies.includes(fault))
  const isWrong = result.startsWith('valid') ? !isGood[kind] : result.startsWith('invalid') && isGood[kind] && !isLied
  if (isWrong) wrong.push(`WRONG check ${number}: a ${kind} token was called ${result} after ${met.join(', ')}`)
}

/** Resolves when the provider has received it; after a check, with the number of calls. */
function sendToProvider(message: FaultMessage): Promise<number> {
  return new Promise((done) => {
    waiting.set(message.id, done)
    provider.send(message)
  })
}

function nameOf(result: Result): string {
  return `${result.outcome} ${result.outcome === 'undetermined' ? result.code : result.details.code}`
}

function tokenOf(kind: Kind, number: number): SimulatedToken {
  const word = `${kind}${String(number).padStart(6, '0')}`
  const permissions = ['accounts', 'zones'] as const
  if (kind === 'oldAccount' || kind === 'unknownOld')
    return { value: word.repeat(4).slice(0, 40), status: 'active', permissions, accountId }
  const account = kind === 'goodAccount' ? { accountId } : {}
  const status = kind === 'disabled' ? 'disabled' : 'active'
  return { value: synthetic(kind === 'goodAccount' ? 'cfat_' : 'cfut_', word), status, permissions, ...account }
}

function pick<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(random() * list.length)]
}

/** mulberry32: small, and the same on every platform. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }
}
