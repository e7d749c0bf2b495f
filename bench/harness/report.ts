import { readFileSync } from 'node:fs'
import { tableOf } from '../../cli/table.ts'
import { round, type Spread } from './spread.ts'

/** A measured figure and its target. */
export interface Figure {
  readonly what: string
  readonly is: Spread | number
  readonly unit?: string
  readonly atMost?: number
  readonly atLeast?: number
}

/** Whether the median of a figure meets its target; undefined if it has none. */
function isMet({ is, atMost, atLeast }: Figure): boolean | undefined {
  if (atMost === undefined && atLeast === undefined) return undefined
  const value = typeof is === 'number' ? is : is.median
  return value <= (atMost ?? Number.POSITIVE_INFINITY) && value >= (atLeast ?? Number.NEGATIVE_INFINITY)
}

/**
 * Prints the figures as a table, and sets exit code 1 if one misses its target. `load` is the load average before the run: figures from a
 * busy machine prove nothing, and the output says so.
 */
export async function report(figures: readonly Figure[], loadAtStart: readonly number[]): Promise<void> {
  const batch = async function* () {
    yield figures
  }
  for await (const line of tableOf(batch(), columns, 160)) process.stdout.write(line)
  const load = loadAtStart[0] ?? 0
  const busy = load > 1 ? ' The machine was busy: measure again when it is idle.' : ''
  process.stdout.write(`load ${load} before, ${loadBefore()[0]} after; Node ${process.version}.${busy}\n`)
  if (figures.some((figure) => isMet(figure) === false)) process.exitCode = 1
}

const columns = [
  { title: 'what', of: ({ what }: Figure) => what },
  { title: 'median', of: ({ is, unit = '' }: Figure) => `${typeof is === 'number' ? round(is) : is.median}${unit}` },
  { title: 'range', of: ({ is }: Figure) => (typeof is === 'number' ? '' : `${is.min}–${is.max} (${is.count})`) },
  { title: 'target', of: targetOf },
  { title: '', of: (figure: Figure) => ({ true: 'met', false: 'MISSED', undefined: '' })[`${isMet(figure)}`] },
]

function targetOf({ atMost, atLeast, unit = '' }: Figure): string {
  if (atMost !== undefined) return `≤ ${atMost}${unit}`
  return atLeast === undefined ? '' : `≥ ${atLeast}${unit}`
}

/** The load averages before a run: a result from a busy machine proves nothing. */
export function loadBefore(): readonly number[] {
  return readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).map(Number)
}
