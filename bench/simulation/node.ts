import { pino } from 'pino'
import type { Timers } from '../../src/platform/abortable.ts'
import type { Rows, Statement } from '../../src/platform/database/database.ts'
import { createFreshness } from '../../src/platform/database/freshness.ts'
import { createResponseCache, type LoadedBody, type ResponseCache } from '../../src/user-data/cache.ts'
import { type Invalidation, startInvalidation } from '../../src/user-data/invalidation.ts'
import type { SimulatedClock } from './clock.ts'
import { type Cluster, type DatabaseLink, openLink, type Server } from './cluster.ts'
import { type History, organizationOf, subjectsOf } from './history.ts'
import type { Violations } from './invariants.ts'
import type { Latency, Random } from './random.ts'
import type { Tally } from './tally.ts'

/** What all nodes of a simulation share. */
export interface Scene {
  readonly clock: SimulatedClock
  readonly random: Random
  readonly cluster: Cluster
  readonly history: History
  readonly violations: Violations
  readonly tally: Tally
  readonly settings: NodeSettings
}

export interface NodeSettings {
  readonly freshnessSeconds: number
  readonly pollMs: number
  readonly cacheBytes: number
  /** Of a statement, there and back. */
  readonly latency: Latency
}

/** A node of a simulation: the service's own cache, its proof, and its reader of the changes, on a simulated clock. */
export interface SimulatedNode {
  /** A call of user data. Whether anything is under way after it. */
  request(account: number, session: number): boolean
  /** A change that this node makes, and answers when its reader has seen it. */
  write(events: readonly string[], answered: () => void): void
  isRunning(): boolean
  stats(): ReturnType<ResponseCache['stats']>
  freeze(): void
  thaw(): void
  /** The process stands still, and goes on later as if nothing had happened. */
  sleep(forMs: number): void
  /** The process ends. `start` begins with an empty cache. */
  end(): void
  start(): void
  /** What the health check does when the database does not answer. */
  doubt(): void
}

const log = pino({ level: 'silent' })

export function createNode(name: string, scene: Scene): SimulatedNode {
  const { clock, history } = scene
  let current = startProcess(name, scene)
  return {
    request: (account, session) => current.request(account, session),
    write: (events, answered) => current.write(events, answered),
    isRunning: () => current.isRunning(),
    stats: () => current.cache.stats(),
    freeze: () => current.link.freeze(),
    thaw: () => current.link.thaw(),
    sleep: (forMs) => current.sleep(forMs),
    end: () => current.end(),
    start() {
      current = startProcess(`${name}, started ${Math.round(clock.now())} (${history.newest()})`, scene)
    },
    doubt: () => current.doubt(),
  }
}

/** From the start of a process to its end. */
function startProcess(name: string, scene: Scene) {
  const { clock, random, cluster, history, violations, tally, settings } = scene
  const running = createRunning(clock)
  const link = openLink({
    clock,
    random,
    cluster,
    latency: settings.latency,
    arrive: running.run,
    answerSide: (statement, values, server) => answerSide(scene, statement, values, server),
  })
  const freshness = createFreshness(settings.freshnessSeconds, clock.now)
  const cache = createResponseCache({
    bytesMax: settings.cacheBytes,
    now: clock.now,
    isProven: freshness.isProven,
  })
  const ledger = createLedger(name, scene)
  const invalidation: Invalidation = startInvalidation(
    { side: ledger.watch(link), suspect: link.suspect },
    ledger.count(cache),
    {
      freshness,
      freshnessSeconds: settings.freshnessSeconds,
      pollMs: settings.pollMs,
      log,
      timers: running.timers,
    },
  )
  /** The newest change of each subject that this node has made and answered. */
  const answered = new Map<string, number>()

  function load(account: number, subjects: readonly string[]) {
    return (): Promise<LoadedBody> =>
      link.ask((server) => ({
        body: history.textOf(subjects, server.lastCommit ?? history.newest()),
        accountId: String(account),
        orgId: organizationOf(account),
        expiresAtMs: Number.POSITIVE_INFINITY,
      }))
  }

  /** What an answer to a call that begins now may not lack. */
  function check(account: number, subjects: readonly string[]) {
    const known = ledger.known()
    const own = Math.max(0, ...subjects.map((subject) => answered.get(subject) ?? 0))
    return (text: string) => {
      const missing = history.firstMissing(subjects, text)
      if (missing === undefined) return tally.answer(0)
      const ageMs = clock.now() - history.committedAtMs(missing)
      tally.answer(ageMs)
      const detail = `${name}: account ${account}, ${Math.round(ageMs)} ms old`
      if (ageMs > settings.freshnessSeconds * 1_000) violations.add('lease', detail)
      if (missing <= known) violations.add('look', detail)
      if (missing <= own) violations.add('own', detail)
    }
  }

  return {
    cache,
    link,
    isRunning: running.isRunning,
    request(account: number, session: number): boolean {
      const subjects = subjectsOf(account)
      const answer = check(account, subjects)
      const key = `["https://muster.example","${account}","${session}"]`
      const cached = cache.get(key)
      tally.request(cached !== undefined)
      if (cached) answer(cached.text)
      else
        void cache.getOrLoad(key, load(account, subjects)).then(
          ({ text }) => running.isRunning() && answer(text),
          () => tally.failure(),
        )
      return cached === undefined
    },
    write(events: readonly string[], done: () => void): void {
      void commitOn(link, events, scene)
        .then(async (commit) => {
          await invalidation.settled()
          if (!running.isRunning()) return
          for (const event of events) answered.set(event, commit)
          done()
        })
        .catch(() => tally.failure())
    },
    sleep: running.sleep,
    doubt: () => running.run(invalidation.doubt),
    end() {
      invalidation.stop()
      running.end()
    },
  }
}

async function commitOn(link: DatabaseLink, events: readonly string[], { history }: Scene): Promise<number> {
  return link.ask(({ tables, lastCommit }) => {
    // An old primary waits for a standby, and confirms nothing.
    if (lastCommit !== undefined) return new Promise<number>(() => undefined)
    const transaction = tables.begin()
    for (const event of events) transaction.change(event)
    transaction.commit()
    return history.commit(events)
  })
}

function answerSide(
  { history }: Scene,
  statement: string,
  [snapshot, truncations]: readonly unknown[],
  { tables, lastCommit }: Server,
): readonly object[] {
  switch (statement) {
    case 'change_feed_look': {
      const found = tables.look(snapshot, truncations)
      return found ? [{ ...found, hasSyncStandbys: true, shownCommit: lastCommit ?? history.newest() }] : []
    }
    case 'change_feed_begin':
      tables.beginHistory()
      return []
    case 'directory_is_ours':
      return [{ ours: true }]
    default:
      throw new Error(`the model of the database does not know the statement ${statement}`)
  }
}

/** A process that can stand still or end: until then its timers and what arrives wait. */
function createRunning(clock: SimulatedClock) {
  let state: 'running' | 'asleep' | 'ended' = 'running'
  let wakesAtMs = 0
  let waiting: (() => void)[] = []

  function run(work: () => void): void {
    if (state === 'running') work()
    else if (state === 'asleep') waiting.push(work)
  }

  const timers: Timers = {
    after(ms, work) {
      let isCancelled = false
      const cancel = clock.after(ms, () => run(() => isCancelled || work()))
      return () => {
        isCancelled = true
        cancel()
      }
    },
  }

  return {
    timers,
    run,
    isRunning: () => state === 'running',
    sleep(forMs: number): void {
      if (state === 'ended') return
      state = 'asleep'
      wakesAtMs = Math.max(wakesAtMs, clock.now() + forMs)
      clock.plan(forMs, () => {
        if (state !== 'asleep' || clock.now() < wakesAtMs) return
        state = 'running'
        const works = waiting
        waiting = []
        for (const work of works) work()
      })
    },
    end(): void {
      state = 'ended'
      waiting = []
    },
  }
}

/** Compares the events that a node's cache receives with those that were committed, look by look. */
function createLedger(name: string, { clock, history, violations, tally, settings }: Scene) {
  const lateMs = (settings.freshnessSeconds * 1_000 * 2) / 5
  /** Up to here it has read all changes. */
  let known = 0
  let received: string[] = []
  let isAnew = false

  function verify(shown: number): void {
    const events = received
    received = []
    if (isAnew) {
      isAnew = false
      known = shown
      return
    }
    const due = history.eventsBetween(known, shown)
    for (let commit = known + 1; commit <= shown; commit += 1)
      tally.known(clock.now() - history.committedAtMs(commit), 1)
    const isTogether = events.length === 1 && events[0] === 'all' && due.length > togetherMin
    if (!isTogether && !isSame(events, due))
      violations.add('once', `${name}: ${events.length} events read of ${due.length}`)
    known = Math.max(known, shown)
  }

  return {
    known: () => known,
    /** Notices when the answer to a look arrives. */
    watch(link: DatabaseLink): Rows {
      return {
        async query<Row extends object>(statement: Statement, values: readonly unknown[]) {
          const askedAtMs = clock.now()
          const rows = await link.side.query<Row>(statement, values)
          const [row] = rows
          const isInTime = clock.now() - askedAtMs < lateMs
          if (isInTime && row && 'shownCommit' in row && typeof row.shownCommit === 'number') {
            const shown = row.shownCommit
            // When everything that follows from the answer has happened.
            clock.plan(0, () => {
              verify(shown)
              return false
            })
          }
          return rows
        },
      }
    },
    /** The cache, where each event is noted. */
    count(cache: ResponseCache): ResponseCache {
      return {
        ...cache,
        invalidate(event) {
          cache.invalidate(event)
          received.push(event)
        },
        setConnected(isConnected) {
          cache.setConnected(isConnected)
          if (!isConnected) isAnew = true
        },
      }
    },
  }
}

/** More events than these in one look may be received as one of everything (`eventsMax`). */
const togetherMin = 10_000

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  if (one.length < 2) return one[0] === other[0]
  const sorted = other.toSorted()
  return one.toSorted().every((event, place) => event === sorted[place])
}
