import { LRUCache } from 'lru-cache'
import type { Clock } from '../platform/clock.ts'
import { etagOf } from '../platform/http/etag.ts'
import { createSingleFlight } from '../platform/single-flight.ts'

/** A response as it goes over the wire, made once. */
export interface CachedResponse {
  readonly text: string
  /** RFC 9110 §8.8.3. */
  readonly etag: string
}

/** What was read from the database, and what it depends on. */
export interface LoadedBody {
  readonly body: string
  readonly accountId: string
  readonly orgId?: string | undefined
  /** Milliseconds since 1970 at which it expires by itself, such as with its session. */
  readonly expiresAtMs: number
}

/**
 * Responses of user data, cached until something that they depend on changes. While changes are not known
 * (`setConnected(false)`) nothing is cached. Nothing cached is used without proof that they are (`isProven`).
 */
export interface ResponseCache {
  /** The cached response, if there is one. */
  get(key: string): CachedResponse | undefined
  /** What `load` reads, where there is no cached response. Concurrent callers of one key share one load; a failed load is not cached. */
  getOrLoad(key: string, load: () => Promise<LoadedBody>): Promise<CachedResponse>
  /** Drops what depends on the subject of an event: `account:<id>`, `organization:<id>` or `all`. */
  invalidate(event: string): void
  /** Whether changes are known from now on. Drops everything. */
  setConnected(isConnected: boolean): void
  stats(): CacheStats
}

export interface CacheStats {
  readonly count: number
  readonly bytes: number
  /** Since the start. */
  readonly hits: number
  readonly misses: number
  readonly isConnected: boolean
}

interface Entry {
  readonly response: CachedResponse
  /** Subjects of the events that invalidate it. */
  readonly subjects: readonly string[]
  readonly expiresAtMs: number
}

/** What a load has read, and how many events had come when it began. */
interface Loaded {
  readonly entry: Entry
  readonly since: number
}

/** What an entry takes beside its text and key: measured at about 600 bytes. */
const overheadBytes = 600

/** No response is cached for longer, whatever happens: the bound for an event that was never sent. */
const cachedMsMax = 600_000

/** `bytesMax` bounds the memory of the cached responses. */
export function createResponseCache({
  bytesMax,
  now,
  isProven,
}: {
  readonly bytesMax: number
  readonly now: Clock
  readonly isProven: () => boolean
}): ResponseCache {
  const store = createStore(bytesMax)
  const events = createEventWindow()
  const loads = createSingleFlight<Loaded>()
  let isConnected = false
  let hits = 0
  let misses = 0

  function get(key: string): CachedResponse | undefined {
    const entry = isProven() ? store.get(key) : undefined
    if (entry === undefined || now() >= entry.expiresAtMs) return undefined
    hits += 1
    return entry.response
  }

  /** Reads, and stores what was read unless an event that concerns it came meanwhile. */
  async function loadEntry(key: string, load: () => Promise<LoadedBody>): Promise<Loaded> {
    misses += 1
    const since = events.count()
    const entry = entryOf(await load(), now())
    if (isConnected && !events.concern(entry.subjects, since)) store.set(key, entry)
    return { entry, since }
  }

  async function getOrLoad(key: string, load: () => Promise<LoadedBody>): Promise<CachedResponse> {
    const askedAt = events.count()
    // Without proof, what another request reads may be from before a change that is not known here.
    const { entry, since } = await (isProven() ? loads.run(key, () => loadEntry(key, load)) : loadEntry(key, load))
    // A request that came after an event must not be answered by a load that began before it.
    const isStale = events.concern(entry.subjects, since, askedAt)
    return isStale ? (get(key) ?? getOrLoad(key, load)) : entry.response
  }

  return {
    get,
    getOrLoad,
    invalidate(event) {
      events.add(event)
      store.drop(event)
    },
    setConnected(connected) {
      events.add(everything)
      isConnected = connected
      store.drop(everything)
    },
    stats: () => ({ ...store.size(), hits, misses, isConnected: isConnected && isProven() }),
  }
}

/** The event that concerns every entry. */
const everything = 'all'

function entryOf({ body: text, accountId, orgId, expiresAtMs }: LoadedBody, nowMs: number): Entry {
  return {
    response: { text, etag: etagOf(text) },
    subjects: [`account:${accountId}`, ...(orgId === undefined ? [] : [`organization:${orgId}`])],
    expiresAtMs: Math.min(expiresAtMs, nowMs + cachedMsMax),
  }
}

/** So many of the newest events are remembered; a load that began before them counts as concerned. */
const eventsMin = 10_000

/** The newest events. What is being read while they come may be from before the change that they announce. */
function createEventWindow() {
  let count = 0
  let recent: string[] = []

  return {
    /** Events so far. */
    count: () => count,
    add(event: string) {
      count += 1
      recent.push(event)
      if (recent.length === 2 * eventsMin) recent = recent.slice(eventsMin)
    },
    /** Whether an event after the first `since`, and up to the first `until`, has one of the subjects, or all. */
    concern(subjects: readonly string[], since: number, until = count): boolean {
      const forgotten = count - recent.length
      if (since < forgotten) return since < until
      return recent
        .slice(since - forgotten, until - forgotten)
        .some((event) => event === everything || subjects.includes(event))
    },
  }
}

/** Entries by key and by subject; the least recently used give way. */
function createStore(bytesMax: number) {
  const keysBySubject = new Map<string, Set<string>>()
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, bytesMax),
    dispose: ({ subjects }, key) => unindex(keysBySubject, subjects, key),
  })
  return {
    get: (key: string) => entries.get(key),
    set(key: string, entry: Entry) {
      entries.set(key, entry, { size: bytesOf(entry.response, key) })
      // An entry that is larger than the whole cache was not taken.
      if (entries.has(key)) index(keysBySubject, entry.subjects, key)
    },
    drop(subject: string) {
      if (subject === everything) entries.clear()
      else for (const key of [...(keysBySubject.get(subject) ?? [])]) entries.delete(key)
    },
    size: () => ({ count: entries.size, bytes: entries.calculatedSize }),
  }
}

/** In memory a text with one character outside of Latin-1 takes two bytes for each of its characters. */
function bytesOf({ text }: CachedResponse, key: string): number {
  const bytes = Buffer.byteLength(text)
  return (bytes === text.length ? bytes : text.length * 2) + key.length * 2 + overheadBytes
}

function index(bySubject: Map<string, Set<string>>, subjects: readonly string[], key: string): void {
  for (const subject of subjects) {
    const keys = bySubject.get(subject) ?? new Set()
    keys.add(key)
    bySubject.set(subject, keys)
  }
}

function unindex(bySubject: Map<string, Set<string>>, subjects: readonly string[], key: string): void {
  for (const subject of subjects) {
    const keys = bySubject.get(subject)
    keys?.delete(key)
    if (keys?.size === 0) bySubject.delete(subject)
  }
}
