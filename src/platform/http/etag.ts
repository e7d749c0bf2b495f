import { hash } from 'node:crypto'

/** RFC 9110 §8.8.3: a strong validator, of 160 bits of the content's SHA-256. It has no comma, at which lists of tags are split. */
export function etagOf(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, tagLength)}"`
}

const tagLength = 27

/**
 * Whether an `If-Match` or `If-None-Match` names this state, in a list or as `*` alone (RFC 9110 §13.1.1, §13.1.2).
 *
 * A proxy that compresses an answer rewrites our tag, and the client sends back what it received. Both headers therefore accept our tag
 * with `W/` and with the name of a coding at its end. RFC 9110 wants `If-Match` compared strongly, because a weak tag may stand for several
 * states. Ours is a hash of the content, so each of these forms still names exactly one state. `etag` is a result of `etagOf`.
 */
export function matchesEtag(list: string | undefined, etag: string): boolean {
  if (list === undefined) return false
  if (list === etag || list.trim() === '*') return true
  const wanted = etag.slice(1, -1)
  return list.split(',').some((tag) => tagForm.exec(tag.trim())?.[1] === wanted)
}

/**
 * Our tag as a proxy may send it on. The fixed length tells a suffix from a tag that ends in the same letters.
 * Sources: `W/` of nginx, HAProxy, Varnish and Cloudflare; `-gzip` of Apache's mod_deflate and `-br` of its mod_brotli; `-gzip`, `-br` and
 * `-zstd` of Caddy; `--gzip` of Jetty; `;gzip` of Roxen.
 */
const tagForm = new RegExp(`^(?:W/)?"([\\w-]{${tagLength}})(?:(?:--?|;)(?:gzip|br|zstd|deflate))?"$`)
