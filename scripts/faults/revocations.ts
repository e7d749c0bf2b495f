import { setTimeout } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Caller } from './callers.ts'
import { ask, outcomeOf } from './client.ts'
import { until } from './wait.ts'

/** Users who are disabled one after the other, through every node, while each of them calls every node repeatedly. */
interface Revocations {
  /** The number acknowledged so far. */
  since(moment: number): number
  /** Stops disabling, watches for as long as a disabled user may be served, and reports the results. */
  stop(): Promise<RevocationsResult>
}

interface RevocationsResult {
  /** Users whose disabling was answered with a 2xx. */
  readonly acknowledged: readonly string[]
  /** The longest time from that answer to sending a request that was served, in seconds. */
  readonly servedSeconds: number
  /** Rejections of users before the first attempt to disable them. */
  readonly wrong: readonly string[]
  /** Nodes and users that do not get `account_disabled` in the end. */
  readonly servedStill: number
}

interface RevocationsOptions {
  readonly urls: readonly string[]
  readonly admin: Caller
  readonly accounts: readonly Caller[]
  /** How long a disabled user may be served. */
  readonly boundSeconds: number
}

interface State {
  triedAtMs?: number
  acknowledgedAtMs?: number
}

const pollMs = 100

/** Resolves when every node has served every user. */
export async function startRevocations(options: RevocationsOptions): Promise<Revocations> {
  const { urls, admin, accounts, boundSeconds } = options
  const dispatcher = new Agent()
  const states = new Map<string, State>(accounts.map(({ id }) => [id, {}]))
  const stateOf = (id: string) => states.get(id) ?? {}
  const wrong: string[] = []
  let servedSeconds = 0
  let isDisabling = true
  let isWatching = true

  const read = (url: string, token: string) => outcomeOf(`${url}/api/v1/user/data`, { token, dispatcher })

  async function watch(url: string, { id, token }: Caller): Promise<void> {
    while (isWatching) {
      const sentAtMs = performance.now()
      const outcome = await read(url, token)
      const { triedAtMs, acknowledgedAtMs } = stateOf(id)
      if (triedAtMs === undefined && outcome.startsWith('401')) wrong.push(outcome)
      if (acknowledgedAtMs !== undefined && outcome === '200')
        servedSeconds = Math.max(servedSeconds, (sentAtMs - acknowledgedAtMs) / 1_000)
      await setTimeout(pollMs)
    }
  }

  /** Repeats for each user until it is acknowledged. */
  async function disable(url: string, some: readonly Caller[]): Promise<void> {
    for (const { id } of some) {
      while (isDisabling && stateOf(id).acknowledgedAtMs === undefined) {
        states.set(id, { triedAtMs: performance.now() })
        const request = { method: 'POST', token: admin.token, headers: { 'if-match': '*' }, dispatcher } as const
        const answer = await ask(`${url}/api/v1/admin/users/${id}/disable`, request).catch(() => undefined)
        if (answer && answer.status < 300) stateOf(id).acknowledgedAtMs = performance.now()
        else await setTimeout(pollMs)
      }
      if (isDisabling) await setTimeout(pauseMs)
    }
  }

  for (const url of urls)
    for (const { token } of accounts)
      await until('the account is served', 20, async () => (await read(url, token)) === '200')
  const watching = urls.flatMap((url) => accounts.map((person) => watch(url, person)))
  const disabling = urls.map((url, node) =>
    disable(
      url,
      accounts.filter((_, index) => index % urls.length === node),
    ),
  )
  return {
    since: (moment) => accounts.filter(({ id }) => (stateOf(id).acknowledgedAtMs ?? 0) > moment).length,
    async stop() {
      isDisabling = false
      await Promise.all(disabling)
      await setTimeout((boundSeconds + 1) * 1_000)
      isWatching = false
      await Promise.all(watching)
      const acknowledged = accounts.filter(({ id }) => stateOf(id).acknowledgedAtMs !== undefined)
      const last = await Promise.all(urls.flatMap((url) => acknowledged.map(({ token }) => read(url, token))))
      await dispatcher.destroy()
      return {
        acknowledged: acknowledged.map(({ id }) => id),
        servedSeconds,
        wrong,
        servedStill: last.filter((outcome) => outcome !== '401 account_disabled').length,
      }
    },
  }
}

const pauseMs = 2_000
