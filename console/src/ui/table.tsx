import type { ReactNode } from 'react'

/** A title names the row: where the window is narrow, it stands without the name of its column. */
type Column<Row> = readonly [name: string, cell: (row: Row) => ReactNode, kind?: 'title' | 'wrap']

interface TableProps<Row> {
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** A column without a name holds buttons. */
  readonly columns: readonly Column<Row>[]
  /** Stands in place of a table without rows. */
  readonly none?: string
  readonly className?: string
  /** The rows are those of before, while others are read. */
  readonly isOld?: boolean
  readonly isNew?: (row: Row) => boolean
}

/** Each row is a list of facts where the window is narrow. */
export function Table<Row>({ rows, keyOf, columns, none, className, isOld = false, isNew }: TableProps<Row>) {
  if (none !== undefined && rows.length === 0) return <p className="empty">{none}</p>
  return (
    <table className={className} aria-busy={isOld}>
      <thead>
        <tr>
          {columns.map(([name]) =>
            name === '' ? (
              <td key={name} />
            ) : (
              <th key={name} scope="col">
                {name}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} data-new={isNew?.(row)}>
            {columns.map(([name, cell, kind]) => (
              <td key={name} className={kind && 'wrap'} data-label={kind === 'title' || name === '' ? undefined : name}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Scrolls by itself where the page is too narrow for its table, with the arrow keys as well. */
export function WideTable({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard (WCAG 2.1.1).
    <section className="table-wide" aria-label={name} tabIndex={0}>
      {children}
    </section>
  )
}
