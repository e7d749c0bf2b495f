import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'

/** An answer as it goes over the wire, made once. */
export interface KeptAnswer {
  readonly bytes: Buffer
  /** RFC 9110 §8.8.3. */
  readonly etag: string
}

/** What was read, and what it depends on. */
export interface FreshAnswer {
  readonly body: string
  readonly accountId: string
  readonly orgId?: string | undefined
  /** Milliseconds since 1970 at which it ends by itself, such as with its session. */
  readonly endsAtMs: number
}

/**
 * Answers about callers, kept until something that they depend on changes. They are only as true as what tells of the changes:
 * while nobody listens (`isTold` false) nothing is kept and nothing that was kept is used.
 */
export interface Answers {
  /** The kept answer, if there is one. */
  find(key: string): KeptAnswer | undefined
  /** The kept answer, or what `read` finds. Of many callers at once one reads. What `read` refuses is kept by nobody. */
  get(key: string, read: () => Promise<FreshAnswer>): Promise<KeptAnswer>
  /** Drops what depends on the thing named by a notice: `account:<id>`, `organization:<id>` or `all`. */
  drop(notice: string): void
  /** Whether changes are told from now on. Drops everything. */
  setTold(isTold: boolean): void
  /** How many are kept and what they take, and how often one was there, or was not, since the start. */
  state(): AnswersState
}

export interface AnswersState {
  readonly count: number
  readonly bytes: number
  readonly hits: number
  readonly misses: number
  readonly isTold: boolean
}

interface Kept extends KeptAnswer {
  readonly names: readonly string[]
  readonly endsAtMs: number
}

interface Fill {
  readonly since: number
  readonly answer: Promise<KeptAnswer>
}

export interface AnswersOptions {
  readonly bytesMax: number
  readonly now: Clock
}

/** What an entry takes beside its bytes and key: measured at about 600 bytes. */
const overheadBytes = 600

/** No answer is kept for longer, whatever happens: a notice that was never sent is forgiven after so long. */
const keptMsMax = 600_000

export function createAnswers({ bytesMax, now }: AnswersOptions): Answers {
  const byName = new Map<string, Set<string>>()
  const kept = new LRUCache<string, Kept>({
    maxSize: Math.max(1, bytesMax),
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length * 2 + overheadBytes,
    dispose: ({ names }, key) => forget(byName, names, key),
  })
  const fills = new Map<string, Fill>()
  let isTold = false
  // Grows with every notice: a read that began before one may have seen what was before the change.
  let notices = 0
  let hits = 0
  let misses = 0

  function keep(key: string, { body, accountId, orgId, endsAtMs }: FreshAnswer, since: number): KeptAnswer {
    const bytes = Buffer.from(body)
    const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`
    if (!isTold || since !== notices) return { bytes, etag }
    const names = [`account:${accountId}`, ...(orgId === undefined ? [] : [`organization:${orgId}`])]
    kept.set(key, { bytes, etag, names, endsAtMs: Math.min(endsAtMs, now() + keptMsMax) })
    for (const name of names) remember(byName, name, key)
    return { bytes, etag }
  }

  function find(key: string): KeptAnswer | undefined {
    const answer = kept.get(key)
    if (answer === undefined || now() >= answer.endsAtMs) return undefined
    hits += 1
    return answer
  }

  return {
    find,
    async get(key, read) {
      const found = find(key)
      if (found) return found
      const running = fills.get(key)
      if (running?.since === notices) return running.answer
      misses += 1
      const since = notices
      const answer = read().then((fresh) => keep(key, fresh, since))
      const fill = { since, answer }
      fills.set(key, fill)
      return answer.finally(() => {
        if (fills.get(key) === fill) fills.delete(key)
      })
    },
    drop(notice) {
      notices += 1
      if (notice === 'all') kept.clear()
      else for (const key of [...(byName.get(notice) ?? [])]) kept.delete(key)
    },
    setTold(told) {
      notices += 1
      isTold = told
      kept.clear()
    },
    state: () => ({ count: kept.size, bytes: kept.calculatedSize, hits, misses, isTold }),
  }
}

function remember(byName: Map<string, Set<string>>, name: string, key: string): void {
  const keys = byName.get(name) ?? new Set()
  keys.add(key)
  byName.set(name, keys)
}

function forget(byName: Map<string, Set<string>>, names: readonly string[], key: string): void {
  for (const name of names) {
    const keys = byName.get(name)
    keys?.delete(key)
    if (keys?.size === 0) byName.delete(name)
  }
}
