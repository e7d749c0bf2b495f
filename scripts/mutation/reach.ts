import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant, MutatedSources } from './mutants.ts'
import { documentTest } from './parts.ts'
import type { FileReach, Trial, TrialRun } from './plan.ts'

/** Files that are quicker than this are run whole for whatever they load: they may use it without a use that is counted. */
const quickMs = 1_500

/** For each mutant the tests that reach it, from a run of the tests without faults. */
export function trialsOf(
  root: string,
  mutants: readonly Mutant[],
  { uses, tops }: MutatedSources,
  reaches: readonly FileReach[],
): readonly Trial[] {
  const places = placesByNumber(reaches)
  const loads = loadsByNumber(reaches)
  const useOf = new Map([...uses].map(([number, constant]) => [constant, number]))

  /** Where the constants with these tops are used, and those that are made of them. Nothing where one of them is not used, or not known. */
  function usersOf(roots: ReadonlySet<number>): readonly Place[] | undefined {
    const seen = new Set(roots)
    const found: Place[] = []
    for (const top of seen) {
      const use = useOf.get(tops.get(top) ?? '')
      if (use === undefined) return undefined
      found.push(...(places.get(use) ?? []))
      for (const next of loads.get(use)?.keys() ?? []) seen.add(next)
    }
    return found.length > 0 ? found : undefined
  }

  /** What a mutant that is evaluated while modules are loaded may change. */
  function placesAtLoad(id: number, source: string): readonly Place[] {
    const by = loads.get(id) ?? new Map()
    const users = usersOf(new Set(by.keys()))
    const loading = reaches.filter(({ file }) => [...by.values()].some((files) => files.has(file)))
    // The document is made of every contract, in sources that are not instrumented.
    const isWhole = ({ file, ms }: FileReach) =>
      !users || ms < quickMs || file === documentTest || imports(join(root, file), source)
    const whole = loading.filter(isWhole)
    return [...(users ?? []), ...whole.map(({ file }) => [file, undefined] as const)]
  }

  return mutants.map(({ id, file: source }) => {
    const isAtLoad = loads.has(id)
    const reached = [...(places.get(id) ?? []), ...(isAtLoad ? placesAtLoad(id, source) : [])]
    return { id, source, isAtLoad: isAtLoad || keepsState(root, source), runs: runsOf(reached, reaches) }
  })
}

/** What a module keeps between tests may have been made without the fault. */
function keepsState(root: string, source: string): boolean {
  return /^let /m.test(readFileSync(join(root, source), 'utf8'))
}

/** A test that reaches a number; without a test: a file whose service does while it starts or stops. */
type Place = readonly [file: string, test: string | undefined]

function placesByNumber(reaches: readonly FileReach[]): ReadonlyMap<number, readonly Place[]> {
  const found = new Map<number, Place[]>()
  const add = (ids: readonly number[], place: Place) => {
    for (const id of ids) {
      const known = found.get(id)
      if (known) known.push(place)
      else found.set(id, [place])
    }
  }
  for (const { file, around, tests } of reaches) {
    add(around, [file, undefined])
    for (const { id, reached } of tests) add(reached, [file, id])
  }
  return found
}

/** For each number that is reached while modules are loaded: under which tops, and in which files. */
function loadsByNumber(reaches: readonly FileReach[]): ReadonlyMap<number, ReadonlyMap<number, ReadonlySet<string>>> {
  const found = new Map<number, Map<number, Set<string>>>()
  for (const { file, atLoad } of reaches)
    for (const [top, ids] of atLoad)
      for (const id of ids) {
        const byTop = found.get(id) ?? new Map<number, Set<string>>()
        byTop.set(top, (byTop.get(top) ?? new Set()).add(file))
        found.set(id, byTop)
      }
  return found
}

function runsOf(places: readonly Place[], reaches: readonly FileReach[]): readonly TrialRun[] {
  return reaches.flatMap((reach) => {
    const here = places.filter(([file]) => file === reach.file)
    if (here.length === 0) return []
    const isWhole = here.some(([, test]) => test === undefined)
    const wanted = new Set(here.flatMap(([, test]) => test ?? []))
    const chosen = reach.tests.filter(({ id }) => isWhole || wanted.has(id))
    const around = Math.max(0, reach.ms - sumOf(reach.tests))
    return {
      file: reach.file,
      ...(!isWhole && { tests: [...wanted] }),
      costMs: around + sumOf(chosen),
      timeoutMs: Math.round(4_000 + 5 * Math.max(around, ...chosen.map(({ ms }) => ms))),
    }
  })
}

function sumOf(tests: FileReach['tests']): number {
  return tests.reduce((total, { ms }) => total + ms, 0)
}

function imports(test: string, source: string): boolean {
  return readFileSync(test, 'utf8').includes(`/${source}'`)
}
