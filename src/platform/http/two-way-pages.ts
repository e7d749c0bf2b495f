import type { Cursors } from './cursors.ts'

/** The sort key and the id of a row. */
export type Position = readonly [key: string, id: string]

/** A list that is read in pages which lead both ways. */
export interface TwoWayList {
  readonly cursors: Cursors
  /** What a cursor holds for: the path, the order and the filters. */
  readonly binding: string
  /** Before the first row, and after the last. */
  readonly start: Position
  readonly end: Position
}

/** Rows after a position, or those before it that are nearest to it. */
export interface Place {
  readonly isBefore: boolean
  readonly position: Position
  readonly isStart?: true
}

/** The positions of a page, as the JSON text that its statement makes, in the order in which it was read. */
export interface PageEnds {
  /** Of the first row, where there is one. */
  readonly first: string | undefined
  /** Of the last row, where another row follows. */
  readonly next: string | undefined
}

/** Where the page of a cursor begins; without one, the first page. Problem: `cursor_invalid`. */
export function placeOf({ cursors, binding, start }: TwoWayList, cursor: string | undefined): Place {
  if (cursor === undefined) return { isBefore: false, position: start, isStart: true }
  // The trust boundary: only places that `linksOf` made are sealed with this binding.
  const [isBefore, position] = JSON.parse(cursors.open(cursor, binding)) as [boolean, Position]
  return { isBefore, position }
}

/** The request for a page: its path, and the parameters other than the cursor. */
export interface PageRequest {
  readonly path: string
  readonly query: Readonly<Record<string, string | number | undefined>>
}

/** The header `Link` (RFC 8288) of a page: its neighbours, where there are any. */
export function linksOf(list: TwoWayList, place: Place, ends: PageEnds, request: PageRequest): string | undefined {
  const seal = ({ isBefore, position }: Place) => list.cursors.seal(JSON.stringify([isBefore, position]), list.binding)
  const links = Object.entries(neighboursOf(list, place, ends)).flatMap(([rel, to]) =>
    to === undefined ? [] : [`<${addressOf(request, to === 'first' ? undefined : seal(to))}>; rel="${rel}"`],
  )
  return links.length > 0 ? links.join(', ') : undefined
}

function addressOf({ path, query }: PageRequest, cursor: string | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor }))
    if (value !== undefined) parameters.set(name, String(value))
  return `${path}?${parameters}`
}

function neighboursOf(
  { end }: TwoWayList,
  { isBefore, isStart }: Place,
  { first, next }: PageEnds,
): { readonly next?: Place | 'first' | undefined; readonly prev?: Place | undefined } {
  const further = next === undefined ? undefined : { isBefore, position: positionOf(next) }
  if (isBefore)
    return { next: first === undefined ? 'first' : { isBefore: false, position: positionOf(first) }, prev: further }
  if (isStart) return { next: further }
  // Where all that followed were removed, the way back begins at the end of the list.
  return { next: further, prev: { isBefore: true, position: first === undefined ? end : positionOf(first) } }
}

function positionOf(text: string): Position {
  // The trust boundary to SQL: the statement of a page makes this array.
  return JSON.parse(text) as Position
}
