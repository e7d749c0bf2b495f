import { createHmac, timingSafeEqual } from 'node:crypto'
import { refuse } from '../problems.ts'

/**
 * A cursor is a position in a list (sort key and ID of a row) with a signature. The signature also covers `binding` (path, filters and
 * sort), so a cursor is valid for the same list only. Cursors grant no access: each page checks the permission.
 */
export interface Cursors {
  seal(position: string, binding: string): string
  /** Problem: `cursor_invalid`. */
  open(cursor: string, binding: string): string
}

export function createCursors(key: Buffer): Cursors {
  const sign = (position: string, binding: string) =>
    createHmac('sha256', key).update(`${binding.length}:${binding}${position}`).digest().subarray(0, signatureBytes)

  return {
    seal(position, binding) {
      return Buffer.concat([sign(position, binding), Buffer.from(position)]).toString('base64url')
    },
    open(cursor, binding) {
      const bytes = Buffer.from(cursor, 'base64url')
      // The decoder skips characters that are not base64url: only the exact encoding is accepted.
      if (bytes.length <= signatureBytes || bytes.toString('base64url') !== cursor) refuseCursor()
      const position = bytes.subarray(signatureBytes).toString()
      if (!timingSafeEqual(sign(position, binding), bytes.subarray(0, signatureBytes))) refuseCursor()
      return position
    },
  }
}

/** 128 bits. */
const signatureBytes = 16

function refuseCursor(): never {
  return refuse('cursor_invalid', {
    errors: [
      { parameter: 'cursor', detail: 'Use the cursor from the Link header of another page, with the same parameters.' },
    ],
  })
}

/** Sort key and ID of a row. */
export type Position = readonly [key: string, id: string]

/** A paged list with links to the next and the previous page. */
interface TwoWayList {
  readonly cursors: Cursors
  /** What a cursor is valid for: path, order and filters. */
  readonly binding: string
  /** Position before the first row. */
  readonly start: Position
  /** Position after the last row. */
  readonly end: Position
}

/** A page starts after a position, or ends before it. */
interface PageStart {
  /** True if the page ends before the position. */
  readonly isBefore: boolean
  readonly position: Position
  readonly isStart?: true
}

/** Positions in a page, as JSON text from its statement, in the order of reading. */
export interface PageEnds {
  /** Position of the first row. Undefined for an empty page. */
  readonly first: string | undefined
  /** Position of the last row, if another row follows. */
  readonly next: string | undefined
}

/** Reads the start of a page from its cursor. Without a cursor, returns the first page. Problem: `cursor_invalid`. */
export function pageStartOf({ cursors, binding, start }: TwoWayList, cursor: string | undefined): PageStart {
  if (cursor === undefined) return { isBefore: false, position: start, isStart: true }
  // The trust boundary: only `pageLinkHeader` signs cursors with this binding.
  const [isBefore, position] = JSON.parse(cursors.open(cursor, binding)) as [boolean, Position]
  return { isBefore, position }
}

/** Path and parameters of a page, without the cursor. */
interface PageRequest {
  readonly path: string
  readonly query: Readonly<Record<string, string | number | undefined>>
}

/** The `Link` header (RFC 8288) with the next and the previous page. Undefined if there are none. */
export function pageLinkHeader(
  list: TwoWayList,
  pageStart: PageStart,
  ends: PageEnds,
  request: PageRequest,
): string | undefined {
  const seal = ({ isBefore, position }: PageStart) =>
    list.cursors.seal(JSON.stringify([isBefore, position]), list.binding)
  const links = Object.entries(neighborsOf(list, pageStart, ends)).flatMap(([rel, to]) =>
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

function neighborsOf(
  { end }: TwoWayList,
  { isBefore, isStart }: PageStart,
  { first, next }: PageEnds,
): { readonly next?: PageStart | 'first' | undefined; readonly prev?: PageStart | undefined } {
  const further = next === undefined ? undefined : { isBefore, position: positionOf(next) }
  if (isBefore)
    return { next: first === undefined ? 'first' : { isBefore: false, position: positionOf(first) }, prev: further }
  if (isStart) return { next: further }
  // If all rows after the cursor were deleted, the previous page ends at the end of the list.
  return { next: further, prev: { isBefore: true, position: first === undefined ? end : positionOf(first) } }
}

function positionOf(text: string): Position {
  // The trust boundary to SQL: the statement of the page creates this array.
  return JSON.parse(text) as Position
}
