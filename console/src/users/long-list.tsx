import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from '../store.ts'
import { useTexts } from '../texts.ts'
import { density } from '../ui/density.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import type { ListedUser } from './calls.ts'
import { useRowKeys } from './list-keys.ts'
import { cachedBetween, type RowState, rowCount, usePages, usePlaces } from './long-list-pages.ts'
import type { UserListProps } from './paged-list.tsx'
import { ListHead, UserRow } from './rows.tsx'
import { usersTexts } from './texts.ts'
import { type Between, useSelection, WithSelected } from './with-selected.tsx'

/** However tall the window is, unless more are in sight. */
const rowsMax = 60
const overscan = 10
/** Beside a line of 21 pixels and the border. */
const rowHeights = { comfortable: 34, compact: 26 } as const
/** Where each row is a list of facts. */
const narrowRowHeight = 180

interface LongListProps extends UserListProps {
  /** How many fit, where it was asked for. */
  readonly total: number | undefined
}

/** All users who fit, in one list that is read while it is scrolled. Only the rows in view are in the page. */
export function LongList({ search, isOld, onOpen, bulk, total }: LongListProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const known = usePlaces(search)
  const [places] = known
  const count = rowCount(places)
  const virtualizer = useRows(body, count)
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const pages = usePages(search, known, [first?.index ?? 0, last?.index ?? 0])
  const between = useRef<Between>(() => [])
  between.current = (rows) => cachedBetween(search, places, rows)
  const selection = useSelection(between)
  useRowKeys({
    body,
    count,
    scrollTo: (row) => virtualizer.scrollToIndex(row),
    onSelect: (row) => {
      const { user } = pages.rowAt(row)
      if (user) selection.toggle(user, row)
    },
    onClear: selection.clear,
  })
  const latest = useRef(selection)
  latest.current = selection
  const select = useCallback((user: ListedUser, row: number, isRange: boolean) => {
    if (isRange) latest.current.extend(user, row)
    else latest.current.toggle(user, row)
  }, [])
  const loaded = pages.loaded()
  const { sort, ...filters } = search
  const rows = places.rowsOfLast === undefined ? total : count
  return (
    <>
      <table className="users users-long" aria-busy={isOld} aria-rowcount={rows === undefined ? -1 : rows + 1}>
        <ListHead
          sort={sort}
          onSort={(by) => onOpen({ ...filters, sort: by })}
          isAllSelected={loaded.length > 0 && loaded.every(({ id }) => selection.users.has(id))}
          onSelectAll={(isOn) => (isOn ? selection.add(loaded) : selection.clear())}
        />
        <tbody ref={body}>
          <Space height={first ? first.start - virtualizer.options.scrollMargin : 0} />
          {items.map(({ index }, n) => (
            <Row
              key={index}
              row={index}
              state={pages.rowAt(index)}
              isFirst={n === 0 || pages.rowAt(index - 1).user !== undefined}
              isSelected={selection.users.has(pages.rowAt(index).user?.id ?? '')}
              onSelect={select}
              measure={virtualizer.measureElement}
            />
          ))}
          <Space height={last ? virtualizer.getTotalSize() - (last.end - virtualizer.options.scrollMargin) : 0} />
        </tbody>
      </table>
      <WithSelected {...{ selection, bulk }} />
    </>
  )
}

function useRows(body: { readonly current: HTMLElement | null }, count: number) {
  const rows = useStore(density)
  const [scrollMargin, setScrollMargin] = useState(0)
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    estimateSize: () => (innerWidth > 720 ? rowHeights[rows] : narrowRowHeight),
    overscan,
    rangeExtractor,
    scrollMargin,
    useFlushSync: false,
  })
  useLayoutEffect(() => {
    if (body.current) setScrollMargin(body.current.getBoundingClientRect().top + scrollY)
  }, [body])
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have another height from now on.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rows])
  return virtualizer
}

/** Fewer rows outside the window where many are in it. */
function rangeExtractor(range: Range): number[] {
  const inSight = range.endIndex - range.startIndex + 1
  const around = Math.min(range.overscan, Math.max(0, Math.floor((rowsMax - inSight) / 2)))
  return defaultRangeExtractor({ ...range, overscan: around })
}

interface RowProps {
  readonly row: number
  readonly state: RowState
  /** Of rows that were not read: the first in view says why. */
  readonly isFirst: boolean
  readonly isSelected: boolean
  readonly onSelect: (user: ListedUser, row: number, isRange: boolean) => void
  readonly measure: (element: HTMLTableRowElement | null) => void
}

function Row({ row, state, isFirst, isSelected, onSelect, measure }: RowProps) {
  const t = useTexts(usersTexts)
  if (state.user) return <UserRow user={state.user} {...{ row, isSelected, onSelect, measure }} />
  const hasFailed = state.retry !== undefined
  return (
    <tr ref={measure} data-index={row} aria-rowindex={row + 2} className="not-read">
      <td colSpan={7}>
        {hasFailed && isFirst ? (
          <ProblemNote error={state.failure} title={t('pageRefused')} onRetry={state.retry} />
        ) : (
          <span className="not-read-bar">{t(hasFailed ? 'rowNotRead' : 'rowLoading')}</span>
        )}
      </td>
    </tr>
  )
}

/** Stands for rows that are not rendered. */
function Space({ height }: { readonly height: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table has no focus.
    <tr aria-hidden="true" className="space">
      <td colSpan={7} style={{ height }} />
    </tr>
  )
}
