import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import truncated from 'fast-string-truncated-width'
import { styled } from './print.ts'

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string
  /** How narrow it may become where the terminal is too narrow. Without it the column is shown whole. */
  readonly widthMin?: number
  /** Left out where even narrow columns leave no room for it. */
  readonly mayGo?: true
}

/**
 * A list of any length, from batches of JSON texts: a table on a terminal, otherwise, or where `json` asks for it, one object a
 * line as it came.
 */
export async function printRows<Row>(
  batches: AsyncIterable<readonly string[]>,
  columns: readonly Column<Row>[],
  json = !process.stdout.isTTY,
): Promise<void> {
  const pieces = json ? linesOf(batches) : tableOf(parsed<Row>(batches), columns, process.stdout.columns ?? 80)
  await pipeline(Readable.from(pieces), process.stdout, { end: false })
}

async function* linesOf(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield `${batch.join('\n')}\n`
}

/** The trust boundary: the texts are made by the statement that promises such rows. */
async function* parsed<Row>(batches: AsyncIterable<readonly string[]>): AsyncGenerator<Row[]> {
  for await (const batch of batches) yield batch.map((text) => JSON.parse(text))
}

/**
 * Rows as lines of a table, in constant memory: the columns are as wide as the first batch asks for, and what comes later and is
 * wider is cut. Widths are those of a terminal, where one character may take two places or none.
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

/** Leaves out what has no room, then narrows the widest column that may become narrower, place by place. */
function fit<Row>(columns: readonly Column<Row>[], rows: readonly Row[], room: number): readonly Shown<Row>[] {
  let shown = columns.map((column) => ({ ...column, width: widthOf(column, rows) }))
  while (total(shown.map(({ width, widthMin = width }) => Math.min(width, widthMin))) > room) {
    const index = shown.findLastIndex(({ mayGo }) => mayGo)
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

/** People choose their own names, and a name can hold what steers a terminal or turns its writing round. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
