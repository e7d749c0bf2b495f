import { hash } from 'node:crypto'

/** RFC 9110 §8.8.3: a strong validator, of 160 bits of the content's SHA-256. It has no comma, at which lists of them are cut. */
export function etagOf(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 27)}"`
}

/** Whether an `If-Match` names the present state, in a list or as `*` alone (RFC 9110 §13.1.1): compared strongly. */
export function isPresent(ifMatch: string, etag: string): boolean {
  return isAny(ifMatch) || tagsIn(ifMatch).includes(etag)
}

/**
 * Whether an `If-None-Match` names the present state, in a list or as `*` alone (RFC 9110 §13.1.2): compared weakly, because
 * a proxy that compresses an answer makes its validator a weak one.
 */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return (
    ifNoneMatch === etag || isAny(ifNoneMatch) || tagsIn(ifNoneMatch).some((tag) => tag === etag || tag === `W/${etag}`)
  )
}

function isAny(list: string): boolean {
  return list.trim() === '*'
}

function tagsIn(list: string): readonly string[] {
  return list.split(',').map((tag) => tag.trim())
}
