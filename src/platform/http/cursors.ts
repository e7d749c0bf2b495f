import { createHmac, timingSafeEqual } from 'node:crypto'
import { refuse } from '../problems.ts'

/**
 * Cursors: a position in the list (the sort key and id of the last row, as text made by the database), signed together with the filters
 * and the sort, so that only our own cursors are accepted, and only for the same list. A cursor grants nothing: the permission is checked
 * for each page.
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

/** 128 bits cannot be guessed. */
const signatureBytes = 16

function refuseCursor(): never {
  return refuse('cursor_invalid', {
    errors: [
      { parameter: 'cursor', detail: 'Take it from the Link header of the page before, with the same parameters.' },
    ],
  })
}
