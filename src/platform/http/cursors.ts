import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply } from 'fastify'
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
  readonly path: string
  /** The parameters of each page, without the cursor. */
  readonly query: Readonly<Record<string, string | number | undefined>>
  /** What a cursor is valid for, besides the path: order and filters. */
  readonly binding: readonly unknown[]
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

/** A page as its statement returns it. Positions are JSON text, in the order of reading. */
export interface PageRow {
  readonly body: string
  /** Position of the first row. Null for an empty page. */
  readonly first: string | null
  /** Position of the last row, if another row follows. */
  readonly next: string | null
}

/**
 * Reads the page at a cursor, by default the first one, sets the header `Link` (RFC 8288) and returns the body. Problem:
 * `cursor_invalid`.
 */
export async function answerPage(
  list: TwoWayList,
  { cursor, reply }: { readonly cursor: string | undefined; readonly reply: FastifyReply },
  read: (start: PageStart) => Promise<PageRow>,
): Promise<string> {
  const { cursors, path, start } = list
  const binding = JSON.stringify([path, ...list.binding])
  const pageStart = cursor === undefined ? { isBefore: false, position: start, isStart: true as const } : opened(cursor)
  const page = await read(pageStart)
  const links = Object.entries(neighborsOf(list, pageStart, page)).flatMap(([rel, to]) =>
    to === undefined ? [] : [`<${pageUrl(list, to === 'first' ? undefined : sealed(to))}>; rel="${rel}"`],
  )
  if (links.length > 0) reply.header('link', links.join(', '))
  return page.body

  function opened(text: string): PageStart {
    // The trust boundary: only `sealed` signs cursors with this binding.
    const [isBefore, position] = JSON.parse(cursors.open(text, binding)) as [boolean, Position]
    return { isBefore, position }
  }
  function sealed({ isBefore, position }: PageStart): string {
    return cursors.seal(JSON.stringify([isBefore, position]), binding)
  }
}

/** The URL of a page: without a cursor, of the first one. */
export function pageUrl({ path, query }: Pick<TwoWayList, 'path' | 'query'>, cursor: string | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor }))
    if (value !== undefined) parameters.set(name, String(value))
  return `${path}?${parameters}`
}

function neighborsOf(
  { end }: TwoWayList,
  { isBefore, isStart }: PageStart,
  { first, next }: PageRow,
): { readonly next?: PageStart | 'first' | undefined; readonly prev?: PageStart | undefined } {
  const further = next === null ? undefined : { isBefore, position: positionOf(next) }
  if (isBefore)
    return { next: first === null ? 'first' : { isBefore: false, position: positionOf(first) }, prev: further }
  if (isStart) return { next: further }
  // If all rows after the cursor were deleted, the previous page ends at the end of the list.
  return { next: further, prev: { isBefore: true, position: first === null ? end : positionOf(first) } }
}

function positionOf(text: string): Position {
  // The trust boundary to SQL: the statement of the page creates this array.
  return JSON.parse(text) as Position
}
