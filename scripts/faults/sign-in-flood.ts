import { fork } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { Agent } from 'undici'
import { ask, countsOf, outcomeOf } from './client.ts'
import { createPeople, type Person, passwordOfPeople } from './people.ts'
import type { Section } from './section.ts'
import { until } from './wait.ts'

const strangers = 120
const accounts = 20
/** A known device may sign in ten times a minute. */
const signInsEach = 5
/** Of these at the same time. */
const atOnce = 4
const readers = 8

/** Every stranger has a /48 of its own; `strangers.ts` is what they do. */
export const signInFlood: Section = {
  name: 'sign-in-flood',
  secondsMax: 150,
  async run(stage) {
    const databaseUrl = await (await stage.postgres()).newDatabase()
    const { url } = await stage.node({ databaseUrl, env: { MUSTER_TRUSTED_PROXIES: '127.0.0.1' } })
    const { users } = await createPeople(databaseUrl, accounts)
    const dispatcher = new Agent()
    stage.onEnd(() => dispatcher.destroy())

    const signIn = async (number: number, device?: string) => {
      const body = {
        email: `user${number}@example.com`,
        password: passwordOfPeople.open(),
        ...(device !== undefined && { device_token: device }),
      }
      const headers = { 'x-forwarded-for': `2001:db8:ffff:${number.toString(16)}::1` }
      return ask(`${url}/auth/sign-in`, { method: 'POST', headers, body, dispatcher })
    }
    const devices: string[] = []
    for (let number = 0; number < accounts; number += 1)
      devices.push(/"device_token":"([^"]+)"/.exec((await signIn(number)).text)?.[1] ?? 'none')

    const read = startReaders(url, users, dispatcher)
    stage.onEnd(() => read.stop())
    await setTimeout(1_000) // what is slow only once
    const before = await read.p99Of(() => setTimeout(5_000))

    const flood = startFlood(url)
    stage.onEnd(() => flood.stop())
    await until('the flood is refused', 30, () => flood.outcomes.length >= 300)
    const outcomes: string[] = []
    const flooded = await read.p99Of(async () => {
      const next = devices.entries()
      const signInNext = async () => {
        for (const [number, device] of next)
          for (let round = 0; round < signInsEach; round += 1) {
            const { status, code } = await signIn(number, device)
            outcomes.push(code === undefined ? String(status) : `${status} ${code}`)
          }
      }
      await Promise.all(Array.from({ length: atOnce }, signInNext))
    })
    await Promise.all([flood.stop(), read.stop()])
    const good = outcomes.filter((outcome) => outcome === '200').length
    const slower = flooded / before
    return [
      {
        done: `${strangers} strangers, each with a /48 of its own, guess passwords without a pause`,
        promised: `${accounts * signInsEach} of ${accounts * signInsEach} sign-ins of known devices are 200`,
        seen: `${good} of ${outcomes.length}${good < outcomes.length ? ` (${countsOf(outcomes)})` : ''}; p99 of warm reads ${before.toFixed(1)} ms before, ${flooded.toFixed(1)} ms meanwhile (${slower.toFixed(1)} times); strangers: ${countsOf(flood.outcomes)}`,
        isKept: good === accounts * signInsEach && outcomes.length === good,
      },
    ]
  },
}

interface Readers {
  /** The 99th percentile of what is asked while that goes on, in milliseconds. */
  p99Of(work: () => Promise<unknown>): Promise<number>
  stop(): Promise<unknown>
}

/** Warm reads of `user/data`, at a steady rate. */
function startReaders(url: string, users: readonly Person[], dispatcher: Agent): Readers {
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

function startFlood(url: string): Flood {
  const outcomes: string[] = []
  const child = fork(new URL('./strangers.ts', import.meta.url), [url, String(strangers)])
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
