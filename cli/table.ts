import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import truncated from 'fast-string-truncated-width'
import { printable, styled } from './print.ts'

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string
  /** Minimum width on a narrow terminal. Default: the full width. */
  readonly widthMin?: number
  /** Omitted if the minimum widths do not fit. */
  readonly isOptional?: true
}

/** Rows, or batches of rows as JSON texts for lists of any length. */
export type Rowset<Row> = readonly Row[] | AsyncIterable<readonly string[]>

/**
 * Prints rows: a table on a terminal, otherwise, or with `json`, one object per
 * line.
 */
export async function printRows<Row>(
  list: Rowset<Row>,
  columns: readonly Column<Row>[],
  json = !process.stdout.isTTY,
): Promise<void> {
  const batches = isRows(list) ? batchOf(list) : list
  const pieces = json ? linesOf(batches) : tableOf(parsed<Row>(batches), columns, process.stdout.columns ?? 80)
  await pipeline(Readable.from(pieces), process.stdout, { end: false })
}

function isRows<Row>(list: Rowset<Row>): list is readonly Row[] {
  return Array.isArray(list)
}

async function* batchOf(rows: readonly unknown[]): AsyncGenerator<string[]> {
  if (rows.length > 0) yield rows.map((row) => JSON.stringify(row))
}

async function* linesOf(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield `${batch.join('\n')}\n`
}

/** Trust boundary: our own SQL statement creates these texts. */
async function* parsed<Row>(batches: AsyncIterable<readonly string[]>): AsyncGenerator<Row[]> {
  for await (const batch of batches) yield batch.map((text) => JSON.parse(text))
}

/**
 * Formats rows as a table in constant memory: the first batch determines the column widths, and wider texts of later batches are truncated.
 * Measures width in terminal columns, of which a character can take zero, one or two.
 */
export async function* tableOf<Row>(
  batches: AsyncIterable<readonly Row[]>,
  columns: readonly Column<Row>[],
  room: number,
): AsyncGenerator<string> {
  let shown: readonly Shown<Row>[] | undefined
  for await (const rows of batches) {
    if (!shown) {
      shown = fit(columns, rows, room)
      yield `${styled(
        'bold',
        lineOf(shown, ({ title }) => title),
      )}\n`
    }
    for (const row of rows) yield `${lineOf(shown, (column) => printable(column.of(row)))}\n`
  }
}

interface Shown<Row> extends Column<Row> {
  readonly width: number
}

const gap = '  '

/** Omits optional columns that do not fit, then narrows the widest columns. */
function fit<Row>(columns: readonly Column<Row>[], rows: readonly Row[], room: number): readonly Shown<Row>[] {
  let shown = columns.map((column) => ({ ...column, width: widthOf(column, rows) }))
  while (total(shown.map(({ width, widthMin = width }) => Math.min(width, widthMin))) > room) {
    const index = shown.findLastIndex(({ isOptional }) => isOptional)
    if (index === -1) break
    shown = shown.toSpliced(index, 1)
  }
  for (let excess = total(shown.map(({ width }) => width)) - room; excess > 0; excess -= 1) {
    const [widest] = shown
      .filter(({ width, widthMin = width }) => width > widthMin)
      .sort((one, other) => other.width - one.width)
    if (widest === undefined) break
    widest.width -= 1
  }
  return shown
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1))
}

function widthOf<Row>({ title, of }: Column<Row>, rows: readonly Row[]): number {
  return rows.reduce((widest, row) => Math.max(widest, truncated(printable(of(row))).width), title.length)
}

function lineOf<Row>(columns: readonly Shown<Row>[], textOf: (column: Shown<Row>) => string): string {
  const cells = columns.map((column) => padded(textOf(column), column.width))
  return cells.join(gap).trimEnd()
}

function padded(text: string, limit: number): string {
  const { index, ellipsed, width } = truncated(text, { limit, ellipsis: '…' })
  return `${text.slice(0, index)}${ellipsed ? '…' : ''}`.padEnd(text.slice(0, index).length + limit - width)
}
