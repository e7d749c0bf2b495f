import type { FastifyReply } from 'fastify'

/**
 * Returns the offered media type that `Accept` prefers: the first offered if there is no header or no preference, undefined if none is
 * acceptable. Source: RFC 9110 §12.5.1.
 */
export function chooseType<Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0]
  const ranges = parseRanges(accept)
  let chosen: Type | undefined
  let best = 0
  for (const type of offered) {
    const quality = qualityOf(type, ranges)
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
  return list.split(',', rangesMax).map(parseRange)
}

interface Range {
  readonly range: string
  readonly quality: number
}

function parseRange(text: string): Range {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const quality = weight === undefined ? 1 : Number(weight)
  return { range, quality: Number.isFinite(quality) ? Math.min(1, Math.max(0, quality)) : 0 }
}

/** The most specific range applies, even if its weight is lower. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [family] = type.split('/')
  for (const wanted of [type, `${family}/*`, '*/*']) {
    const match = ranges.find(({ range }) => range === wanted)
    if (match) return match.quality
  }
  return 0
}

/** Appends request headers to `Vary` (RFC 9110 §12.5.5). */
export function addVary(reply: FastifyReply, names: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before === undefined ? names : `${before}, ${names}`)
}
