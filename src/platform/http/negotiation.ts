import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/**
 * Returns the offered media type that `Accept` prefers: the first offered if there is no header or no preference, undefined if none is
 * acceptable. Offered types may have parameters, such as `text/csv; bom=present`. A parameter that no offered type has, such as `charset`,
 * is ignored. Source: RFC 9110 §12.5.1.
 */
export function chooseType<Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0]
  const parsed = offered.map((type) => ({ type, ...parseRange(type) }))
  const known = new Set(parsed.flatMap(({ parameters }) => [...parameters.keys()]))
  const ranges = parseRanges(accept).map(({ parameters, ...range }) => ({
    ...range,
    parameters: new Map([...parameters].filter(([name]) => known.has(name))),
  }))
  let chosen: Type | undefined
  let best = 0
  for (const { type, ...offer } of parsed) {
    const quality = qualityOf(offer, ranges)
    if (quality <= best) continue
    best = quality
    chosen = type
  }
  return chosen
}

/** Whether `Accept-Encoding` accepts gzip (RFC 9110 §12.5.3). False without the header. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return chooseCoding(acceptEncoding, ['gzip']) !== undefined
}

/**
 * Returns the offered coding that `Accept-Encoding` prefers: the first of equal ones, undefined if none is acceptable or the header is
 * missing. Source: RFC 9110 §12.5.3.
 */
export function chooseCoding<Coding extends string>(
  acceptEncoding: string | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  const ranges = parseRanges(acceptEncoding ?? '')
  const any = ranges.find(({ range }) => range === '*')?.quality ?? 0
  let chosen: Coding | undefined
  let best = 0
  for (const coding of offered) {
    const quality = ranges.find(({ range }) => range === coding)?.quality ?? any
    if (quality <= best) continue
    best = quality
    chosen = coding
  }
  return chosen
}

/** RFC 9110 §5.6.1.2 allows to limit the number of list elements. Browsers send fewer than ten. */
const rangesMax = 50

function parseRanges(list: string): readonly Range[] {
  return splitOutsideQuotes(list, ',').slice(0, rangesMax).map(parseRange)
}

interface Range {
  readonly range: string
  readonly parameters: ReadonlyMap<string, string>
  readonly quality: number
}

/** Parses in lower case. An unreadable weight counts as 0. */
function parseRange(text: string): Range {
  const [range = '', ...rest] = splitOutsideQuotes(text.toLowerCase(), ';').map((part) => part.trim())
  const { q = '1', ...parameters } = Object.fromEntries(rest.map(parseParameter).reverse())
  const quality = Number(q)
  return {
    range,
    parameters: new Map(Object.entries(parameters)),
    quality: Number.isFinite(quality) ? Math.min(1, Math.max(0, quality)) : 0,
  }
}

/** The value is a token or a quoted string (RFC 9110 §5.6.6). */
function parseParameter(text: string): [name: string, value: string] {
  const end = text.indexOf('=')
  if (end === -1) return [text, '']
  const value = text.slice(end + 1)
  const [, quoted] = /^"(.*)"$/.exec(value) ?? []
  return [text.slice(0, end), quoted?.replaceAll(/\\(.)/g, '$1') ?? value]
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): readonly string[] {
  const parts = ['']
  for (const [piece] of text.matchAll(/"(?:\\.|[^"\\])*"?|[^",;]+|[,;]/g)) {
    if (piece === separator) parts.push('')
    else parts.push(`${parts.pop()}${piece}`)
  }
  return parts
}

/** The most specific range applies, even if its weight is lower. */
function qualityOf({ range: type, parameters }: Omit<Range, 'quality'>, ranges: readonly Range[]): number {
  const [family] = type.split('/')
  const names = [type, `${family}/*`, '*/*']
  const matching = ranges.filter(
    (wanted) =>
      names.includes(wanted.range) && [...wanted.parameters].every(([name, value]) => parameters.get(name) === value),
  )
  const [first] = matching.toSorted(
    (one, other) =>
      names.indexOf(one.range) - names.indexOf(other.range) || other.parameters.size - one.parameters.size,
  )
  return first?.quality ?? 0
}

/** Appends request headers to `Vary` (RFC 9110 §12.5.5). */
export function addVary(reply: FastifyReply, names: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before === undefined ? names : `${before}, ${names}`)
}

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
