import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'

/** An answer as it goes over the wire, made once. */
export interface KeptAnswer {
  readonly text: string
  /** Its length in bytes of UTF-8. */
  readonly bytes: number
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
  const shelf = createShelf(bytesMax)
  const fills = new Map<string, Fill>()
  let isTold = false
  // Grows with every notice: a read that began before one may have seen what was before the change.
  let notices = 0
  let hits = 0
  let misses = 0

  function keep(key: string, { body: text, accountId, orgId, endsAtMs }: FreshAnswer, since: number): KeptAnswer {
    const answer = {
      text,
      bytes: Buffer.byteLength(text),
      etag: `"${hash('sha256', text, 'base64url').slice(0, 27)}"`,
    }
    if (!isTold || since !== notices) return answer
    const names = [`account:${accountId}`, ...(orgId === undefined ? [] : [`organization:${orgId}`])]
    shelf.put(key, { ...answer, names, endsAtMs: Math.min(endsAtMs, now() + keptMsMax) })
    return answer
  }

  function find(key: string): KeptAnswer | undefined {
    const answer = shelf.get(key)
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
      if (notice === 'all') shelf.clear()
      else shelf.drop(notice)
    },
    setTold(told) {
      notices += 1
      isTold = told
      shelf.clear()
    },
    state: () => ({ ...shelf.size(), hits, misses, isTold }),
  }
}

/** What is kept, by key and by the names of what it depends on; whatever was not asked for the longest gives way. */
function createShelf(bytesMax: number) {
  const keysByName = new Map<string, Set<string>>()
  const kept = new LRUCache<string, Kept>({
    maxSize: Math.max(1, bytesMax),
    sizeCalculation: bytesOf,
    dispose: ({ names }, key) => forget(keysByName, names, key),
  })
  return {
    get: (key: string) => kept.get(key),
    put(key: string, answer: Kept) {
      kept.set(key, answer)
      for (const name of answer.names) remember(keysByName, name, key)
    },
    drop(name: string) {
      for (const key of [...(keysByName.get(name) ?? [])]) kept.delete(key)
    },
    clear: () => kept.clear(),
    size: () => ({ count: kept.size, bytes: kept.calculatedSize }),
  }
}

/** In memory a text with one character outside of Latin-1 takes two bytes for each of its characters. */
function bytesOf({ text, bytes }: Kept, key: string): number {
  return (bytes === text.length ? bytes : text.length * 2) + key.length * 2 + overheadBytes
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
