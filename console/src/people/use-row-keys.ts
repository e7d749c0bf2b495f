import { useEffect, useRef } from 'react'
import { isForPage } from '../shell/keys.ts'

interface RowKeys {
  readonly body: { readonly current: HTMLElement | null }
  readonly count: number
  /** Where not all rows are in the page. */
  readonly scrollTo?: (row: number) => void
  readonly onSelect: (row: number) => void
  readonly onClear: () => void
}

const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** `j` and `k` or the arrows move from person to person, Enter opens one, `x` chooses one, Escape chooses none. */
export function useRowKeys(keys: RowKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  const present = useRef(-1)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { body, onSelect, onClear, count, scrollTo } = latest.current
      const focused = rowOf(event.target)
      const step = steps[event.key]
      const isArrow = event.key.startsWith('Arrow')
      // Without a row that has the focus, arrows scroll the page.
      if (!isForPage(event) || (isArrow && focused === undefined && !isSearch(event.target))) return
      if (event.key === 'Escape') onClear()
      if (event.key === 'x' && focused !== undefined) onSelect(focused)
      if (step === undefined || body.current === null) return
      event.preventDefault()
      const shown = [...body.current.querySelectorAll<HTMLElement>('tr[data-index]')]
      const start = isInSight(shown, present.current) ? present.current : firstInSight(shown) - 1
      const row = Math.min(count - 1, Math.max(0, (focused ?? start) + step))
      present.current = row
      focusRow(body.current, row, scrollTo)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** A row that is outside the page is scrolled to, and has the focus when it is there. */
function focusRow(body: HTMLElement, row: number, scrollTo: ((row: number) => void) | undefined, tries = 20): void {
  const link = body.querySelector<HTMLElement>(`tr[data-index="${row}"] .person-link`)
  link?.focus()
  if (link || tries === 0) return
  scrollTo?.(row)
  requestAnimationFrame(() => focusRow(body, row, undefined, tries - 1))
}

function rowOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('.people tr[data-index]') : null
  return row === null ? undefined : Number(row.dataset.index)
}

const isSearch = (target: EventTarget | null) => target instanceof Element && target.matches('input[type=search]')

function isInSight(rows: readonly HTMLElement[], row: number): boolean {
  return rows.some((one) => Number(one.dataset.index) === row)
}

function firstInSight(rows: readonly HTMLElement[]): number {
  const found = rows.find((row) => row.getBoundingClientRect().top >= 0)
  return Number(found?.dataset.index ?? 0)
}
