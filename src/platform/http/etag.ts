import { hash } from 'node:crypto'

/** A strong validator (RFC 9110 §8.8.3) with 160 bits of the content's SHA-256. Contains no comma, because lists of tags are split at commas. */
export function etagOf(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, tagLength)}"`
}

const tagLength = 27

/**
 * Whether an `If-Match` or `If-None-Match` header matches `etag`, which `etagOf` created (RFC 9110 §13.1.1, §13.1.2).
 *
 * A proxy that compresses a response rewrites the tag, and the client sends the rewritten tag back. Both headers therefore accept the tag
 * with `W/` and with a coding suffix. RFC 9110 requires a strong comparison for `If-Match`, because a weak tag may match several states.
 * Our tag is a hash of the content, so each of these forms still identifies one state.
 */
export function matchesEtag(list: string | undefined, etag: string): boolean {
  if (list === undefined) return false
  if (list === etag || list.trim() === '*') return true
  const wanted = etag.slice(1, -1)
  return list.split(',').some((tag) => tagForm.exec(tag.trim())?.[1] === wanted)
}

/**
 * Our tag as rewritten by proxies. The fixed length distinguishes a suffix from a tag that ends in the same letters.
 * Sources: `W/` of nginx, HAProxy, Varnish and Cloudflare; `-gzip` of Apache's mod_deflate and `-br` of its mod_brotli; `-gzip`, `-br` and
 * `-zstd` of Caddy; `--gzip` of Jetty; `;gzip` of Roxen.
 */
const tagForm = new RegExp(`^(?:W/)?"([\\w-]{${tagLength}})(?:(?:--?|;)(?:gzip|br|zstd|deflate))?"$`)
