import { useRouter, useRouterState } from '@tanstack/react-router'
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

/** `j` and `k` or the arrows move from user to user, Enter opens one, `x` chooses one, Escape chooses none. */
export function useRowKeys(keys: RowKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const mover = createMover(latest)
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event)) return
      const focused = rowOf(event.target)
      if (event.key === 'Escape') latest.current.onClear()
      if (event.key === 'x' && focused !== undefined) latest.current.onSelect(focused)
      const step = steps[event.key]
      // Without a row that has the focus, arrows scroll the page.
      const isForRows = !event.key.startsWith('Arrow') || focused !== undefined || isSearch(event.target)
      if (step === undefined || !isForRows) return
      event.preventDefault()
      mover(step, focused)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Moves the focus by so many rows. A row that is outside the page is scrolled to, and has the focus when it is there. */
function createMover(latest: { readonly current: RowKeys }) {
  let present = -1
  let isMoving = false

  function focus(row: number, tries: number): void {
    const { body, scrollTo } = latest.current
    // Another key was pressed.
    if (row !== present) return
    const link = body.current?.querySelector<HTMLElement>(`tr[data-index="${row}"] .user-link`)
    link?.focus()
    isMoving = !link && tries > 0
    if (!isMoving) return
    if (tries % framesBetweenScrolls === 0) scrollTo?.(row)
    requestAnimationFrame(() => focus(row, tries - 1))
  }

  return (step: number, focused: number | undefined): void => {
    const { body, count } = latest.current
    const shown = [...(body.current?.querySelectorAll<HTMLElement>('tr[data-index]') ?? [])]
    const isShown = shown.some((one) => Number(one.dataset.index) === present)
    const start = isShown ? present : firstInSight(shown) - 1
    // A key that comes before the row is there counts from that row.
    const from = isMoving ? present : (focused ?? start)
    present = Math.min(count - 1, Math.max(0, from + step))
    focus(present, framesMax)
  }
}

/** About a second for a row to come. */
const framesMax = 60
const framesBetweenScrolls = 10

function rowOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('.users tr[data-index]') : null
  return row === null ? undefined : Number(row.dataset.index)
}

const isSearch = (target: EventTarget | null) => target instanceof Element && target.matches('input[type=search]')

function firstInSight(rows: readonly HTMLElement[]): number {
  const found = rows.find((row) => row.getBoundingClientRect().top >= 0)
  return Number(found?.dataset.index ?? 0)
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** The list is the entry of the history before this one. */
    fromList?: boolean
  }
}

/** Who was looked at last. */
let lastOpened: string | undefined

/** On the list: the user who was opened has the focus again, where the list is shown at the place that was left. */
export function useReturn(isThere: boolean): void {
  useEffect(() => {
    if (!isThere || lastOpened === undefined) return
    const id = CSS.escape(lastOpened)
    lastOpened = undefined
    // After the shell, which gives the focus to a new screen, and the router, which scrolls.
    const frame = requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>(`tr[data-id="${id}"] .user-link`)?.focus({ preventScroll: true }),
      ),
    )
    return () => cancelAnimationFrame(frame)
  }, [isThere])
}

/** On the screen of a user: back to the list as it was left. Nothing where the user was not opened from it. Escape does the same. */
export function useBackToList(userId: string): (() => void) | undefined {
  const { history, navigate } = useRouter()
  const isFromList = useRouterState({ select: ({ location }) => location.state.fromList === true })
  useEffect(() => {
    lastOpened = userId
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isForPage(event)) return
      if (isFromList) history.back()
      else void navigate({ to: '/users' })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [userId, isFromList, history, navigate])
  return isFromList ? () => history.back() : undefined
}
