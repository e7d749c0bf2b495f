import { fork } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { Secret as OtpSecret, TOTP } from 'otpauth'
import { Agent } from 'undici'
import { type Caller, createCallers, passwordOfCallers } from './callers.ts'
import { ask, countsOf, outcomeOf } from './client.ts'
import type { Section, Stage } from './stage.ts'
import { until } from './wait.ts'

const attackers = 120
const accounts = 20
/** A known device may sign in ten times a minute. */
const signInsEach = 5
/** The number in parallel. */
const atOnce = 4
const readers = 8
/** A network round trip. */
const roundTripMs = 50

/** Every attacker has a separate /48; `attackers.ts` is their process. */
export const signInFlood: Section = {
  name: 'sign-in-flood',
  secondsMax: 150,
  async run(stage) {
    const { url, users, dispatcher, signIn } = await startSignIns(stage, accounts)
    const devices: string[] = []
    for (let number = 0; number < accounts; number += 1) devices.push(await knownDevice(signIn, number))

    const read = startReaders(url, users, dispatcher)
    stage.onEnd(() => read.stop())
    await setTimeout(1_000) // warm-up: slow only once
    const before = await read.p99Of(() => setTimeout(5_000))

    const flood = startFlood(url, attackers, roundTripMs, 'answered')
    stage.onEnd(() => flood.stop())
    await until('the flood is rejected', 30, () => flood.outcomes.length >= 300)
    const outcomes: string[] = []
    const flooded = await read.p99Of(async () => {
      const next = devices.entries()
      const signInNext = async () => {
        for (const [number, device] of next)
          for (let round = 0; round < signInsEach; round += 1)
            outcomes.push((await signIn(number, { device_token: device })).outcome)
      }
      await Promise.all(Array.from({ length: atOnce }, signInNext))
    })
    await Promise.all([flood.stop(), read.stop()])
    const good = outcomes.filter((outcome) => outcome === '200').length
    const slower = flooded / before
    return [
      {
        done: `${attackers} attackers, each with a /48, guess passwords without a pause`,
        promised: `${accounts * signInsEach} of ${accounts * signInsEach} sign-ins of known devices are 200`,
        seen: `${good} of ${outcomes.length}${good < outcomes.length ? ` (${countsOf(outcomes)})` : ''}; p99 of warm reads ${before.toFixed(1)} ms before, ${flooded.toFixed(1)} ms meanwhile (${slower.toFixed(1)} times); attackers: ${countsOf(flood.outcomes)}`,
        isKept: good === accounts * signInsEach && outcomes.length === good,
      },
    ]
  },
}

/** 10,000 attempts a minute: 100 networks try every 600 ms. */
const guessingNetworks = 100
const guessPauseMs = 600
/** The time in which the guessing networks still have attempts left. */
const guessingSeconds = 25

/** Users of networks without failures, and known devices, while 100 networks guess. */
export const signInGuessing: Section = {
  name: 'sign-in-guessing',
  secondsMax: 120,
  async run(stage) {
    const { url, signIn } = await startSignIns(stage, 2 * accounts)
    const devices: string[] = []
    for (let number = 0; number < accounts; number += 1) devices.push(await knownDevice(signIn, number))
    const flood = startFlood(url, guessingNetworks, guessPauseMs)
    stage.onEnd(() => flood.stop())
    await until('the guesses are checked', 30, () => flood.outcomes.length >= 300)
    const seen = { device: [] as SignedIn[], network: [] as SignedIn[] }
    const end = performance.now() + guessingSeconds * 1_000
    for (let n = 0; performance.now() < end; n += 1) {
      seen.device.push(await signIn(n % accounts, { device_token: devices[n % accounts] }))
      seen.network.push(await signIn(accounts + (n % accounts), {}, `2001:db8:eeee:${n.toString(16)}::1`))
      await setTimeout(100)
    }
    await flood.stop()
    const finding = (who: string, signIns: readonly SignedIn[]) => {
      const slowest = Math.max(...signIns.map(({ ms }) => ms))
      return {
        done: `${guessingNetworks} networks send 10,000 wrong passwords a minute`,
        promised: `sign-ins ${who} are 200 within 1 s`,
        seen: `${countsOf(signIns.map(({ outcome }) => outcome))}, ${timesOf(signIns)}; guesses: ${countsOf(flood.outcomes)}`,
        isKept: slowest <= 1_000 && signIns.every(({ outcome }) => outcome === '200'),
      }
    }
    return [finding('of known devices', seen.device), finding('from networks without failures', seen.network)]
  },
}

/** The number of sign-ins per minute that one network may make. */
const colleagues = 60

/** 60 users of one network who sign in at the same moment: first all alike, and then of every kind. */
export const signInsTogether: Section = {
  name: 'sign-ins-together',
  secondsMax: 120,
  async run(stage) {
    const { url, dispatcher, signIn } = await startSignIns(stage, colleagues)
    await signIn(0) // warm-up: slow only once
    const alike = await together((number) => signIn(number, {}, '192.0.2.1'))
    const devices = new Map<number, string>()
    for (let number = 0; number < 20; number += 1) devices.set(number, await knownDevice(signIn, number))
    const codes = new Map<number, () => object>()
    for (let number = 20; number < 35; number += 1)
      codes.set(number, await enrolFactor(url, dispatcher, signIn, number))
    const mixed = await together((number) => {
      const device = devices.get(number)
      const more = device === undefined ? (codes.get(number)?.() ?? {}) : { device_token: device }
      return signIn(number, number >= 50 ? { password: 'wrong' } : more, '198.51.100.1')
    })
    const finding = (done: string, good: number, { signIns, seconds }: Together) => ({
      done,
      promised: `${good} × 200 and ${colleagues - good} × 401 within 3 s`,
      seen: `${countsOf(signIns.map(({ outcome }) => outcome))} after ${seconds.toFixed(2)} s, ${timesOf(signIns)}`,
      isKept:
        seconds <= 3 &&
        signIns.every(({ outcome }, number) => outcome === (number < good ? '200' : '401 sign_in_refused')),
    })
    const who = '20 known devices, 15 users with a second factor, 15 others and 10 wrong passwords of one network'
    return [
      finding(`${colleagues} users of one network sign in at the same moment`, colleagues, alike),
      finding(`${who} sign in at the same moment`, 50, mixed),
    ]
  },
}

interface Together {
  readonly signIns: readonly SignedIn[]
  readonly seconds: number
}

async function together(signInOne: (number: number) => Promise<SignedIn>): Promise<Together> {
  const from = performance.now()
  const signIns = await Promise.all(Array.from({ length: colleagues }, (_, number) => signInOne(number)))
  return { signIns, seconds: (performance.now() - from) / 1_000 }
}

interface SignedIn {
  /** The status, with the code of a problem. */
  readonly outcome: string
  readonly text: string
  readonly ms: number
}

/** By default each user has a separate network. */
type SignIn = (number: number, more?: object, address?: string) => Promise<SignedIn>

/** A node behind a trusted proxy, and its users. */
async function startSignIns(stage: Stage, count: number) {
  const databaseUrl = await (await stage.postgres()).newDatabase()
  const { url } = await stage.node({ databaseUrl, env: { MUSTER_TRUSTED_PROXIES: '127.0.0.1' } })
  const { users } = await createCallers(databaseUrl, count)
  const dispatcher = new Agent()
  stage.onEnd(() => dispatcher.destroy())
  const signIn: SignIn = async (number, more = {}, address = `2001:db8:ffff:${number.toString(16)}::1`) => {
    const body = { email: `user${number}@example.com`, password: passwordOfCallers.open(), ...more }
    const from = performance.now()
    const headers = { 'x-forwarded-for': address }
    const { status, code, text } = await ask(`${url}/auth/sign-in`, { method: 'POST', headers, body, dispatcher })
    const outcome = code === undefined ? String(status) : `${status} ${code}`
    return { outcome, text, ms: performance.now() - from }
  }
  return { url, users, dispatcher, signIn }
}

async function knownDevice(signIn: SignIn, number: number): Promise<string> {
  return memberOf(await signIn(number, {}, `2001:db8:dddd:${number.toString(16)}::1`), 'device_token')
}

function memberOf({ text }: { readonly text: string }, name: string): string {
  const [, value] = new RegExp(`"${name}":"([^"]+)"`).exec(text) ?? []
  if (value === undefined) throw new Error(`there is no ${name} in ${text}`)
  return value
}

/** Returns the current proof. */
async function enrolFactor(url: string, dispatcher: Agent, signIn: SignIn, number: number): Promise<() => object> {
  const signedIn = await signIn(number, {}, `2001:db8:cccc:${number.toString(16)}::1`)
  const options = { method: 'POST', token: memberOf(signedIn, 'access_token'), dispatcher } as const
  const body = { friendlyName: 'Phone', password: passwordOfCallers.open() }
  const enrolled = await ask(`${url}/auth/factors`, { ...options, body })
  const id = memberOf(enrolled, 'id')
  const totp = new TOTP({ secret: OtpSecret.fromBase32(memberOf(enrolled, 'secret')) })
  // The code of the previous step, because a code works once.
  const code = totp.generate({ timestamp: Date.now() - 30_000 })
  const verified = await ask(`${url}/auth/factors/${id}/verify`, { ...options, body: { code } })
  if (verified.status !== 200) throw new Error(`the factor was not verified: ${verified.text}`)
  return () => ({ factorId: id, code: totp.generate() })
}

function timesOf(signIns: readonly SignedIn[]): string {
  const sorted = signIns.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN)
  return `median ${at(0.5)} ms, slowest ${at(1)} ms`
}

interface Readers {
  /** The 99th percentile of the reads during the work, in milliseconds. */
  p99Of(work: () => Promise<unknown>): Promise<number>
  stop(): Promise<unknown>
}

/** Warm reads of `user/data`, at a steady rate. */
function startReaders(url: string, users: readonly Caller[], dispatcher: Agent): Readers {
  const times: number[] = []
  let isStopped = false
  const running = Array.from({ length: readers }, async (_, reader) => {
    for (let number = reader; !isStopped; number += 1) {
      const { token = '' } = users[number % users.length] ?? {}
      const from = performance.now()
      const outcome = await outcomeOf(`${url}/api/v1/user/data`, { token, dispatcher })
      if (outcome !== '200') throw new Error(`a read was answered ${outcome}`)
      times.push(performance.now() - from)
      await setTimeout(20)
    }
  })
  return {
    async p99Of(work) {
      const first = times.length
      await work()
      const sorted = times.slice(first).sort((a, b) => a - b)
      return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
    },
    stop() {
      isStopped = true
      return Promise.all(running)
    },
  }
}

interface Flood {
  readonly outcomes: readonly string[]
  stop(): Promise<unknown>
}

function startFlood(url: string, count: number, pauseMs: number, mode = ''): Flood {
  const outcomes: string[] = []
  const child = fork(new URL('./attackers.ts', import.meta.url), [url, String(count), String(pauseMs), mode])
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  child.on('message', (status) => outcomes.push(String(status)))
  return {
    outcomes,
    stop() {
      if (child.connected) child.send('end')
      return ended
    },
  }
}
