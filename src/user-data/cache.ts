import { LRUCache } from 'lru-cache'
import type { Clock } from '../platform/clock.ts'
import { etagOf } from '../platform/http/etag.ts'

/** An answer as it goes over the wire, made once. */
export interface KeptAnswer {
  readonly text: string
  /** Its length in bytes of UTF-8. */
  readonly bytes: number
  /** RFC 9110 §8.8.3. */
  readonly etag: string
}

/** Where an answer is kept. It is empty, for good, from the moment at which the answer is dropped. */
export interface Place {
  readonly key: string
  /** Of the things that the answer depends on. */
  readonly names: readonly string[]
  readonly endsAtMs: number
  usedAtMs: number
  answer: KeptAnswer | undefined
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
  /** Where an answer is kept, if one is: for looking there again without the key. */
  find(key: string): Place | undefined
  /** The answer at that place, as long as it is kept. */
  at(place: Place): KeptAnswer | undefined
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

interface Ready {
  readonly answer: KeptAnswer
  readonly names: readonly string[]
  readonly endsAtMs: number
}

/** A read under way, and how many notices had come when it began. */
interface Fill {
  readonly since: number
  readonly ready: Promise<Ready>
}

export interface AnswersOptions {
  readonly bytesMax: number
  readonly now: Clock
}

/** What an entry takes beside its bytes and key: measured at about 600 bytes. */
const overheadBytes = 600

/** The order in which answers give way to others is as exact as this. */
const usedAgainMs = 1_000

/** No answer is kept for longer, whatever happens: a notice that was never sent is forgiven after so long. */
const keptMsMax = 600_000

export function createAnswers({ bytesMax, now }: AnswersOptions): Answers {
  const shelf = createShelf(bytesMax)
  const notices = createNotices()
  const fills = new Map<string, Fill>()
  let isTold = false
  let hits = 0
  let misses = 0

  function at(place: Place): KeptAnswer | undefined {
    const nowMs = now()
    if (place.answer === undefined || nowMs >= place.endsAtMs) return undefined
    if (nowMs - place.usedAtMs >= usedAgainMs) shelf.use(place, nowMs)
    hits += 1
    return place.answer
  }

  /** Reads, and keeps what was read unless a change that bears on it was told meanwhile. */
  function fill(key: string, read: () => Promise<FreshAnswer>): Promise<Ready> {
    misses += 1
    const since = notices.count()
    const ready = notices.during(async () => {
      const fresh = readyFrom(await read(), now())
      if (isTold && !notices.haveTouched(fresh.names, since)) shelf.put(key, fresh, now())
      return fresh
    })
    const filling = { since, ready }
    fills.set(key, filling)
    return ready.finally(() => {
      if (fills.get(key) === filling) fills.delete(key)
    })
  }

  async function get(key: string, read: () => Promise<FreshAnswer>): Promise<KeptAnswer> {
    const place = shelf.find(key)
    const found = place && at(place)
    if (found) return found
    const running = fills.get(key)
    if (!running) return (await fill(key, read)).answer
    const { answer, isOld } = await join(running, notices)
    return isOld ? get(key, read) : answer
  }

  return {
    find: shelf.find,
    at,
    get,
    drop(notice) {
      notices.add(notice)
      shelf.drop(notice)
    },
    setTold(told) {
      notices.add(everything)
      isTold = told
      shelf.drop(everything)
    },
    state: () => ({ ...shelf.size(), hits, misses, isTold }),
  }
}

/** Whoever asks after a change was told must not be given what was read before it: that is old. */
function join({ since, ready }: Fill, notices: Notices): Promise<{ answer: KeptAnswer; isOld: boolean }> {
  const askedAt = notices.count()
  return notices.during(async () => {
    const { answer, names } = await ready
    return { answer, isOld: notices.haveTouched(names, since, askedAt) }
  })
}

/** The notice that everything may have changed. */
const everything = 'all'

function readyFrom({ body: text, accountId, orgId, endsAtMs }: FreshAnswer, nowMs: number): Ready {
  return {
    answer: { text, bytes: Buffer.byteLength(text), etag: etagOf(text) },
    names: [`account:${accountId}`, ...(orgId === undefined ? [] : [`organization:${orgId}`])],
    endsAtMs: Math.min(endsAtMs, nowMs + keptMsMax),
  }
}

type Notices = ReturnType<typeof createNotices>

/** Notices remembered at most; past that a read under way is taken to be touched by those that were forgotten. */
const noticesMax = 10_000

/** The notices that come while something is being read, for what was read may be from before the change that they tell of. */
function createNotices() {
  let count = 0
  let readers = 0
  let recent: string[] = []

  function forget(): void {
    recent = []
  }

  return {
    /** How many there have been. */
    count: () => count,
    add(notice: string) {
      count += 1
      if (readers === 0) return
      if (recent.length === noticesMax) forget()
      recent.push(notice)
    },
    /** Runs `work`, remembering the notices that come meanwhile. */
    async during<T>(work: () => Promise<T>): Promise<T> {
      readers += 1
      try {
        return await work()
      } finally {
        readers -= 1
        if (readers === 0) forget()
      }
    },
    /** Whether one of those after the first `since`, and up to the first `until`, names one of `names` or everything. */
    haveTouched(names: readonly string[], since: number, until = count): boolean {
      const forgotten = count - recent.length
      if (since < forgotten) return true
      return recent
        .slice(since - forgotten, until - forgotten)
        .some((notice) => notice === everything || names.includes(notice))
    },
  }
}

/** What is kept, by key and by the names of what it depends on; whatever was not asked for the longest gives way. */
function createShelf(bytesMax: number) {
  const keysByName = new Map<string, Set<string>>()
  const kept = new LRUCache<string, Place>({
    maxSize: Math.max(1, bytesMax),
    dispose(place) {
      place.answer = undefined
      forget(keysByName, place)
    },
  })
  return {
    find: (key: string) => kept.get(key),
    /** It was asked for, so others give way before it. */
    use(place: Place, nowMs: number) {
      place.usedAtMs = nowMs
      kept.get(place.key)
    },
    put(key: string, ready: Ready, nowMs: number) {
      const place = { key, usedAtMs: nowMs, ...ready }
      kept.set(key, place, { size: bytesOf(ready.answer, key) })
      // One that is larger than all the room there is was not taken.
      if (kept.has(key)) for (const name of ready.names) remember(keysByName, name, key)
    },
    drop(name: string) {
      if (name === everything) kept.clear()
      else for (const key of [...(keysByName.get(name) ?? [])]) kept.delete(key)
    },
    size: () => ({ count: kept.size, bytes: kept.calculatedSize }),
  }
}

/** In memory a text with one character outside of Latin-1 takes two bytes for each of its characters. */
function bytesOf({ text, bytes }: KeptAnswer, key: string): number {
  return (bytes === text.length ? bytes : text.length * 2) + key.length * 2 + overheadBytes
}

function remember(byName: Map<string, Set<string>>, name: string, key: string): void {
  const keys = byName.get(name) ?? new Set()
  keys.add(key)
  byName.set(name, keys)
}

function forget(byName: Map<string, Set<string>>, { names, key }: Place): void {
  for (const name of names) {
    const keys = byName.get(name)
    keys?.delete(key)
    if (keys?.size === 0) byName.delete(name)
  }
}
