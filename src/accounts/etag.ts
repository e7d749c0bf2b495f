import { hash } from 'node:crypto'

/** RFC 9110 §8.8.3: a strong validator, of 160 bits of the text's SHA-256. */
export function etagOf(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 27)}"`
}
