/**
 * How people use a product, in its busiest hour. Sessions begin independently of each other (Poisson), each of a random account. The calls of a
 * session are geometrically distributed, with independent times between them (exponential): so what is left of a session never depends
 * on what was. A change of an account is as likely in one as in another; a part happens in the middle of a session of its account.
 */
export interface Product {
  readonly id: string
  readonly sentence: string
  readonly sessionsPerAccountAndDay: number
  /** Mean calls of `user/data` in a session: one for each page that is loaded. */
  readonly callsPerSession: number
  /** Mean. */
  readonly secondsBetweenCalls: number
  readonly changesPerAccountAndMonth: number
  /** Of the changes, those in a session of the account; the others come from payments and operators. */
  readonly changesInSessions: number
  /** Key checks in a session. */
  readonly keyChecksPerSession: number
  /** Of a day, what falls into its busiest hour. */
  readonly busiestHour: number
}

export const products = [
  {
    id: 'occasional',
    sentence: 'One account in ten is used on a day, for six minutes and 12 pages.',
    sessionsPerAccountAndDay: 0.1,
    callsPerSession: 12,
    secondsBetweenCalls: 30,
    changesPerAccountAndMonth: 1,
    changesInSessions: 0.5,
    keyChecksPerSession: 0.05,
    busiestHour: 0.1,
  },
  {
    id: 'all day',
    sentence: 'Most accounts are used on a day: 1.2 times, for an hour and 60 pages.',
    sessionsPerAccountAndDay: 1.2,
    callsPerSession: 60,
    secondsBetweenCalls: 60,
    changesPerAccountAndMonth: 3,
    changesInSessions: 0.5,
    keyChecksPerSession: 0.05,
    busiestHour: 0.1,
  },
] as const satisfies readonly Product[]

/** What arrives each second, of all accounts together. */
export interface Rates {
  readonly sessionsPerSecond: number
  readonly callsPerSession: number
  readonly secondsBetweenCalls: number
  readonly callsPerSecond: number
  readonly changesPerSecond: number
  readonly changesInSessions: number
  readonly keyChecksPerSecond: number
}

const daysInMonth = 30

export function ratesOf(product: Product, accounts: number): Rates {
  const { callsPerSession, secondsBetweenCalls, changesInSessions, busiestHour } = product
  const perSecond = (perDay: number) => (accounts * perDay * busiestHour) / 3_600
  const sessionsPerSecond = perSecond(product.sessionsPerAccountAndDay)
  return {
    sessionsPerSecond,
    callsPerSession,
    secondsBetweenCalls,
    callsPerSecond: sessionsPerSecond * callsPerSession,
    changesPerSecond: perSecond(product.changesPerAccountAndMonth / daysInMonth),
    changesInSessions,
    keyChecksPerSecond: sessionsPerSecond * product.keyChecksPerSession,
  }
}

/** `sticky`: the load balancer sends a caller to one node. `any`: each call to a random one. */
export type Routing = 'any' | 'sticky'

export interface Fleet {
  readonly nodes: number
  readonly accounts: number
  readonly routing: Routing
}

/** No response is cached for longer (`cachedMsMax` of the cache). */
const cachedSeconds = 600

/**
 * The hit rate that follows from the distributions. After a call, the next one of its session comes to the same node with the rate
 * c / (g n), and the session ends with the rate (1 − c) / g, where c is the probability that a call is not the last one, g the mean time
 * between two, and n the nodes among which a caller's calls are spread. So an entry that also ends with a change (rate v) and after T seconds is used
 *     H = c / (g n) · (1 − e^(−(k + v) T)) / (k + v)      with  k = (1 − c) / g
 * times, and H / (1 + H) of the calls find one. Where the cache is full, a call finds an entry that was used before it had to give way (Che's approximation).
 */
export function expectedHitRate({ nodes, accounts, routing }: Fleet, rates: Rates, entriesMax: number): number {
  const { callsPerSession, secondsBetweenCalls, callsPerSecond, changesPerSecond, changesInSessions } = rates
  const goesOn = 1 - 1 / callsPerSession
  const nodesOfCaller = routing === 'sticky' ? 1 : nodes
  const used = goesOn / (secondsBetweenCalls * nodesOfCaller)
  const ends = (1 - goesOn) / secondsBetweenCalls
  const openSessions = rates.sessionsPerSecond * callsPerSession * secondsBetweenCalls
  const changed =
    (changesPerSecond * changesInSessions) / openSessions + (changesPerSecond * (1 - changesInSessions)) / accounts
  const gone = ends + changed
  const usesWithin = (seconds: number) => (used * (1 - Math.exp(-gone * seconds))) / gone
  const usedAgainWithin = (seconds: number) => (used / (used + gone)) * (1 - Math.exp(-(used + gone) * seconds))
  const inTime = usesWithin(cachedSeconds)
  const inRoom = usedAgainWithin(keptSeconds(used, gone, (entriesMax * nodes) / callsPerSecond))
  return Math.min(inTime / (1 + inTime), inRoom)
}

/**
 * After how long an unused entry has given way: so long that the entries used within that time fill the cache. `room` is the time in which calls
 * come of which each needs an entry of its own.
 */
function keptSeconds(used: number, gone: number, room: number): number {
  const again = used / (used + gone)
  const filled = (seconds: number) =>
    (1 - again) * seconds + (again * (1 - Math.exp(-(used + gone) * seconds))) / (used + gone)
  let [low, high] = [0, cachedSeconds * 100]
  for (let round = 0; round < 60; round += 1) {
    const middle = (low + high) / 2
    if (filled(middle) < room) low = middle
    else high = middle
  }
  return low
}
