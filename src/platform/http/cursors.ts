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
