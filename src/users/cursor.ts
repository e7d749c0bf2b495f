import { createHmac, timingSafeEqual } from 'node:crypto'
import { refuse } from '../platform/problems.ts'

/** A place in a list: the sort key of the last row shown, as text made by the database. */
export type Position = string

/**
 * Cursors: positions signed together with the query that they belong to, so that only our own come back, and only with the same
 * filters and sort. A cursor permits nothing: each page asks again what the caller may see.
 */
export interface Cursors {
  seal(position: Position, query: string): string
  /** Problem: `cursor_invalid`. */
  open(cursor: string, query: string): Position
}

export function createCursors(key: Buffer): Cursors {
  const sign = (position: Position, query: string) =>
    createHmac('sha256', key).update(`${query.length}:${query}${position}`).digest().subarray(0, signatureBytes)

  return {
    seal(position, query) {
      return Buffer.concat([sign(position, query), Buffer.from(position)]).toString('base64url')
    },
    open(cursor, query) {
      const bytes = Buffer.from(cursor, 'base64url')
      // Other spellings of the same bytes are refused, and so is anything that base64url would skip.
      if (bytes.length <= signatureBytes || bytes.toString('base64url') !== cursor) refuseCursor()
      const position = bytes.subarray(signatureBytes).toString()
      if (!timingSafeEqual(sign(position, query), bytes.subarray(0, signatureBytes))) refuseCursor()
      return position
    },
  }
}

/** 128 bits, far above what can be guessed. */
const signatureBytes = 16

function refuseCursor(): never {
  return refuse('cursor_invalid', {
    errors: [
      { parameter: 'cursor', detail: 'Take it from the Link header of the page before, with the same parameters.' },
    ],
  })
}
