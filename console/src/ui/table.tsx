import type { ReactNode } from 'react'

interface WideTableProps {
  readonly name: string
  readonly columns: readonly string[]
  /** The rows of its body. */
  readonly children: ReactNode
}

/** A table that scrolls by itself where the page is too narrow for it, with the arrow keys as well. */
export function WideTable({ name, columns, children }: WideTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard (WCAG 2.1.1).
    <section className="table-wide" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
