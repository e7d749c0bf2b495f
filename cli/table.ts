import truncated from 'fast-string-truncated-width'
import { styled } from './print.ts'

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string
  /** A column that shrinks where the terminal is too narrow; the others are shown whole. */
  readonly shrinks?: boolean
}

const gap = '  '

/**
 * Rows as lines of a table, in constant memory: the columns are as wide as the first batch asks for, and what comes later and is
 * wider is cut. Widths are those of a terminal, where one character may take two places or none.
 */
export async function* tableOf<Row>(
  batches: AsyncIterable<readonly Row[]>,
  columns: readonly Column<Row>[],
): AsyncGenerator<string> {
  let widths: readonly number[] | undefined
  for await (const rows of batches) {
    const cells = rows.map((row) => columns.map((column) => printable(column.of(row))))
    if (!widths) {
      widths = fitted(naturalWidths(columns, cells), columns, process.stdout.columns ?? 80)
      const titles = lineOf(
        columns.map(({ title }) => title),
        widths,
      )
      yield `${styled('bold', titles)}\n`
    }
    for (const row of cells) yield `${lineOf(row, widths)}\n`
  }
}

function naturalWidths(columns: readonly Column<never>[], cells: readonly string[][]): number[] {
  return columns.map(({ title }, index) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[index] ?? '')), widthOf(title)),
  )
}

/** Takes from the columns that shrink, evenly, what the terminal lacks; each keeps room for its title. */
function fitted(widths: readonly number[], columns: readonly Column<never>[], room: number): number[] {
  const result = [...widths]
  let excess = widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1)) - room
  while (excess > 0) {
    const [widest] = columns
      .flatMap(({ shrinks, title }, index) => (shrinks && (result[index] ?? 0) > title.length ? [index] : []))
      .sort((a, b) => (result[b] ?? 0) - (result[a] ?? 0))
    if (widest === undefined) break
    result[widest] = (result[widest] ?? 0) - 1
    excess -= 1
  }
  return result
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => padded(cell, widths[index] ?? 0))
    .join(gap)
    .trimEnd()
}

function padded(cell: string, width: number): string {
  const { index, truncated: isCut, width: shown } = truncated(cell, { limit: width, ellipsis: '…' })
  return `${cell.slice(0, index)}${isCut ? '…' : ''}${' '.repeat(Math.max(0, width - shown))}`
}

function widthOf(cell: string): number {
  return truncated(cell).width
}

/** A name can hold what steers a terminal, and people choose their own names. */
function printable(cell: string): string {
  return cell.replaceAll(/\p{C}/gu, '�')
}
