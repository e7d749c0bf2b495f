import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { Agent } from 'undici'
import type { Callers } from './callers.ts'
import { ask, countsOf, outcomeOf } from './client.ts'
import { until } from './wait.ts'

/** Repeated reads, full exports and writes, whose answers are all checked. */
export interface Load {
  /** Answers so far, such as `read 200`. */
  since(moment: number): readonly Answer[]
  /** Seconds until reads, exports and writes all succeed again. */
  recovered(secondsMax: number): Promise<number>
  /** Stops, and compares the acknowledged writes with the database. */
  stop(databaseUrl: string): Promise<LoadResult>
}

interface Answer {
  readonly kind: 'read' | 'list' | 'write'
  readonly outcome: string
  readonly atMs: number
}

export interface LoadResult {
  readonly acknowledged: number
  readonly lost: number
  /** What no client may see: a 401, a short list, or a failure other than 503. */
  readonly wrong: readonly string[]
}

interface LoadOptions {
  readonly url: string
  readonly callers: Callers
  /** Default: the full export. */
  readonly listPath?: string
}

export function startLoad({ url, callers, listPath = '/api/v1/admin/users/fetch' }: LoadOptions): Load {
  const answers: Answer[] = []
  const wrong: string[] = []
  const acknowledged: string[] = []
  const dispatcher = new Agent()
  let isStopped = false
  const { admin, users } = callers

  async function repeat(kind: Answer['kind'], once: (number: number) => Promise<string>): Promise<void> {
    for (let number = 0; !isStopped; number += 1) {
      const outcome = await once(number)
      answers.push({ kind, outcome, atMs: performance.now() })
      if (!isAllowed(outcome)) wrong.push(`${kind} ${outcome}`)
      // Some hundred requests per second: the machine has other work as well.
      await setTimeout(outcome === '200' || outcome === '201' ? 5 : 25)
    }
  }
  const read = (number: number) => {
    const { token = '' } = users[number % users.length] ?? {}
    return outcomeOf(`${url}/api/v1/user/data`, { token, dispatcher })
  }
  const list = async () => {
    const options = { token: admin.token, dispatcher }
    const answer = await ask(`${url}${listPath}`, options).catch(() => undefined)
    if (answer === undefined) return 'cut'
    if (answer.status !== 200) return `${answer.status} ${answer.code}`
    const shown = answer.text.split('"id":').length - 1
    return shown < users.length + 1 ? `short (${shown})` : '200'
  }
  const write = async () => {
    const name = 'An organization'
    const options = { method: 'POST', token: admin.token, body: { name }, dispatcher } as const
    const answer = await ask(`${url}/api/v1/orgs`, options).catch(() => undefined)
    if (answer === undefined) return 'cut'
    if (answer.status === 201) acknowledged.push(/"id":"([^"]+)"/.exec(answer.text)?.[1] ?? 'none')
    return answer.status === 201 ? '201' : `${answer.status} ${answer.code}`
  }
  const running = [repeat('read', read), repeat('read', read), repeat('list', list), repeat('write', write)]
  running.push(repeat('write', write))
  const since: Load['since'] = (moment) => answers.filter(({ atMs }) => atMs >= moment)
  return {
    since,
    async recovered(secondsMax) {
      const from = performance.now()
      return until(`all succeed: ${countsOf(answers.slice(-20).map(({ outcome }) => outcome))}`, secondsMax, () => {
        const good = new Set(since(from).flatMap(({ kind, outcome }) => (/^20[01]$/.test(outcome) ? [kind] : [])))
        return good.size === 3
      })
    },
    async stop(databaseUrl) {
      isStopped = true
      await Promise.all(running)
      await dispatcher.destroy()
      const found = await organizationsOf(databaseUrl)
      return { acknowledged: acknowledged.length, lost: acknowledged.filter((id) => !found.has(id)).length, wrong }
    },
  }
}

/** A success, a 503, or a broken connection. */
function isAllowed(outcome: string): boolean {
  return outcome === 'cut' || /^(20[01]$|503 )/.test(outcome) || /^(E[A-Z]+$|UND_ERR_)/.test(outcome)
}

async function organizationsOf(databaseUrl: string): Promise<ReadonlySet<string>> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    return new Set((await client.query<{ id: string }>('select id from organization')).rows.map(({ id }) => id))
  } finally {
    await client.end()
  }
}
