import { parseArgs } from 'node:util'

import type { FaultName } from '../simulators/cloudflare/faults.ts'
import { faults, isFaultName } from '../simulators/cloudflare/faults.ts'
import type { CloudflareSimulator } from '../simulators/cloudflare/server.ts'
import { startCloudflareSimulator } from '../simulators/cloudflare/server.ts'
import type { SimulatedToken } from '../simulators/cloudflare/state.ts'
import { accountId, synthetic } from '../simulators/cloudflare/state.ts'
import { Problem } from '../src/problems.ts'
import { Secret } from '../src/secret.ts'
import type { Validation } from '../src/validation/validate.ts'
import { createValidation } from '../src/validation/validate.ts'

/**
 * Checks of tokens whose state is known, at a provider that misbehaves at random in two of three answers.
 * npm run bench -- faults [--checks 10000] [--seed 1]. The same seed deals the same tokens and faults.
 */
const { values } = parseArgs({
  options: { checks: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
})
const checks = Number(values.checks)
const atOnce = 50
const deadlineMs = 500
/** Allowed over the deadline: a timer on a busy machine is late. */
const graceMs = 100

const random = seeded(Number(values.seed))
let nowMs = Date.now()
const simulator = await startCloudflareSimulator()
const validation = await createValidation({
  baseUrls: { cloudflare: simulator.url },
  now: () => nowMs,
  // The brakes are off: held checks would prove nothing about judgement.
  limits: { deadlineMs, callsPerSecondMax: 0, breakerCallsMin: Number.POSITIVE_INFINITY },
})

const kinds = ['good', 'goodAccount', 'oldAccount', 'disabled', 'unknown', 'unknownOld'] as const
type Kind = (typeof kinds)[number]

/** What the provider would say of the token if it behaved. */
const isGood: Record<Kind, boolean> = {
  good: true,
  goodAccount: true,
  oldAccount: true,
  disabled: false,
  unknown: false,
  unknownOld: false,
}
/** Faults that change the meaning: what the provider then says is not what we hold against the verdict. */
const lies: readonly FaultName[] = ['status_revoked', 'transient_10000', 'transient_10001']
const names = Object.keys(faults).filter(isFaultName)

const plans = new Map<string, () => FaultName | undefined>()
const tally = new Map<string, number>()
const wrong: string[] = []
const durations: number[] = []
let callsMost = 0
let stray = 0
process.on('unhandledRejection', () => {
  stray += 1
})
process.on('uncaughtException', () => {
  stray += 1
})

let next = 0
await Promise.all(Array.from({ length: 200 }, () => runCheck(next++, simulator, validation)))
globalThis.gc?.()
const before = process.memoryUsage()
for (const counted of [durations, wrong]) counted.length = 0
tally.clear()
callsMost = 0
next = 0
const startedAt = performance.now()
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    while (next < checks) await runCheck(next++, simulator, validation)
  }),
)
const seconds = (performance.now() - startedAt) / 1_000
globalThis.gc?.()
const after = process.memoryUsage()
const grown = (name: 'rss' | 'heapUsed') => `${((after[name] - before[name]) / 1_048_576).toFixed(1)} MiB`

durations.sort((one, other) => one - other)
const late = durations.filter((ms) => ms > deadlineMs + graceMs).length
const p99 = durations[Math.ceil(durations.length * 0.99) - 1] ?? 0
console.log(`checks                     ${durations.length} in ${seconds.toFixed(1)} s, ${atOnce} at once, seed ${values.seed}
wrong verdicts             ${wrong.length}
over deadline + ${graceMs} ms     ${late} (deadline ${deadlineMs} ms, p99 ${p99.toFixed(0)} ms, longest ${durations.at(-1)?.toFixed(0)} ms)
calls of one check, most   ${callsMost} (three, and one retry)
errors nobody caught       ${stray}
memory grown               heap ${grown('heapUsed')}, RSS ${grown('rss')} (the simulator and its floods included)`)
for (const [name, count] of [...tally].sort()) console.log(`  ${name.padEnd(44)}${count}`)
for (const line of wrong.slice(0, 20)) console.log(`WRONG ${line}`)
await validation.close()
await simulator.close()
process.exitCode = wrong.length + stray > 0 || p99 > deadlineMs + graceMs || callsMost > 4 ? 1 : 0

async function runCheck(number: number, { state, control }: CloudflareSimulator, { check }: Validation): Promise<void> {
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'good'
  const token = tokenOf(kind, number)
  const planned = Array.from({ length: 4 }, () => (random() < 2 / 3 ? pick(names) : undefined))
  let calls = 0
  plans.set(token.value, () => planned[calls++])
  control.chooseFault = ({ headers }) => plans.get(String(headers.authorization).slice('Bearer '.length))?.()
  if (!kind.startsWith('unknown')) state.tokens.push(token)
  // Past every lock-out and memory of the checks before.
  nowMs += 400_000
  const startedAtMs = performance.now()
  const said = await verdict(check({ keyType: 'api_token', apiKey: new Secret(token.value), details: random() < 0.2 }))
  durations.push(performance.now() - startedAtMs)
  callsMost = Math.max(callsMost, calls)
  tally.set(said, (tally.get(said) ?? 0) + 1)
  const isLied = planned.slice(0, calls).some((fault) => fault !== undefined && lies.includes(fault))
  const isWrong = said.startsWith('valid') ? !isGood[kind] : said.startsWith('invalid') && isGood[kind] && !isLied
  if (isWrong)
    wrong.push(`check ${number}: a ${kind} token was called ${said} after ${planned.slice(0, calls).join(', ')}`)
  plans.delete(token.value)
  const at = state.tokens.indexOf(token)
  if (at >= 0) state.tokens.splice(at, 1)
}

async function verdict(check: ReturnType<Validation['check']>): Promise<string> {
  try {
    const { isValid, details } = await check
    return `${isValid ? 'valid' : 'invalid'} ${details.code}`
  } catch (error) {
    if (error instanceof Problem) return `problem ${error.code}`
    throw error
  }
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

/** mulberry32: small, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }
}
