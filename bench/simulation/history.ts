/** What was committed in a simulation, in its order: the truth that answers are compared with. */
export interface History {
  /** Appends a commit of these events, such as `account:1`, and returns its number, from 1. */
  commit(events: readonly string[]): number
  /** The number of the newest commit. */
  newest(): number
  /** The number of the newest commit up to that time. */
  newestAt(ms: number): number
  committedAtMs(commit: number): number
  /** The events of the commits after the one and up to the other. */
  eventsBetween(after: number, upTo: number): readonly string[]
  /** What a response says that was read when `upTo` was the newest commit: how often each of the subjects had changed. */
  textOf(subjects: readonly string[], upTo: number): string
  /** The first commit that such a text lacks. */
  firstMissing(subjects: readonly string[], text: string): number | undefined
}

/** `nowMs` is the clock of the simulation. */
export function createHistory(nowMs: () => number): History {
  const times: number[] = [Number.NEGATIVE_INFINITY]
  const eventsOf: (readonly string[])[] = [[]]
  const commitsOf = new Map<string, number[]>()
  const newest = () => times.length - 1

  function changesUpTo(subject: string, upTo: number): number {
    const commits = commitsOf.get(subject) ?? []
    let count = commits.length
    // Mostly the newest one is asked for.
    while (count > 0 && (commits[count - 1] ?? 0) > upTo) count -= 1
    return count
  }

  return {
    commit(events) {
      times.push(nowMs())
      eventsOf.push(events)
      for (const event of events) {
        const commits = commitsOf.get(event)
        if (commits) commits.push(newest())
        else commitsOf.set(event, [newest()])
      }
      return newest()
    },
    newest,
    newestAt(ms) {
      let [low, high] = [0, newest()]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if ((times[middle] ?? 0) <= ms) low = middle
        else high = middle - 1
      }
      return low
    },
    committedAtMs: (commit) => times[commit] ?? Number.NaN,
    eventsBetween: (after, upTo) => eventsOf.slice(after + 1, upTo + 1).flat(),
    textOf: (subjects, upTo) => subjects.map((subject) => changesUpTo(subject, upTo)).join('.'),
    firstMissing(subjects, text) {
      const counts = text.split('.').map(Number)
      const missing = subjects.flatMap((subject, place) => commitsOf.get(subject)?.[counts[place] ?? 0] ?? [])
      return missing.length === 0 ? undefined : Math.min(...missing)
    },
  }
}

/** What the response of an account depends on. Ten accounts share an organisation, and every second one has one. */
export function subjectsOf(account: number): readonly string[] {
  return [`account:${account}`, `organization:${organizationOf(account)}`, 'all']
}

export function organizationOf(account: number): string {
  return account % 2 === 0 ? String(Math.floor(account / 20)) : 'none'
}
