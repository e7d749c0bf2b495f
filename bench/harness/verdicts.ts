/** One line of a result: the measurement, and whether it met its target. */
export interface Verdict {
  readonly what: string
  readonly measured: string
  /** From the lowest to the highest. */
  readonly range?: string
  /** Absent if the line is only information. */
  readonly target?: string
  /** `skipped` if this machine cannot measure it: `measured` has the reason. */
  readonly outcome?: 'pass' | 'MISS' | 'skipped'
}

export function met(isMet: boolean): 'pass' | 'MISS' {
  return isMet ? 'pass' : 'MISS'
}

/** Prints a table of fixed width. */
export function printVerdicts(title: string, verdicts: readonly Verdict[], note?: string): void {
  const rows = verdicts.map(({ what, measured, range = '', target = '', outcome = '' }) => [
    what,
    measured,
    range,
    target,
    outcome,
  ])
  const head = [title, 'measured', 'range', 'target', '']
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  const lines = [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...rows.map(lineOf)]
  process.stdout.write(`\n${lines.join('\n')}\n${note === undefined ? '' : `${note}\n`}`)
}

/** The last line, and the exit code: 1 if a target was missed. */
export function conclude(verdicts: readonly Verdict[]): void {
  const count = (outcome: Verdict['outcome']) => verdicts.filter((verdict) => verdict.outcome === outcome).length
  const skipped = count('skipped')
  process.stdout.write(
    `\n${count('pass')} targets met, ${count('MISS')} missed${skipped > 0 ? `, ${skipped} not measured` : ''}\n`,
  )
  if (count('MISS') > 0) process.exitCode = 1
}
