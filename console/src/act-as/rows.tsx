import type { ReactNode } from 'react'

interface RowsProps {
  readonly title: string
  /** Where there are no rows. */
  readonly none: string
  readonly rows: readonly (readonly [key: string, row: ReactNode])[]
  readonly note?: string | undefined
}

/** A list of one kind, under its heading. */
export function Rows({ title, none, rows, note }: RowsProps) {
  return (
    <>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p>{none}</p>
      ) : (
        <ul className="rows">
          {rows.map(([key, row]) => (
            <li key={key}>{row}</li>
          ))}
        </ul>
      )}
      {note !== undefined && <p>{note}</p>}
    </>
  )
}
