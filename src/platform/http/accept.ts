/**
 * Which of the offered types the header `Accept` prefers; the first offered where it has no preference or was not sent.
 * Nothing where it takes none of them. Source: RFC 9110 §12.5.1.
 */
export function chooseType<Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0]
  const ranges = rangesIn(accept)
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

/** Whether `Accept-Encoding` accepts gzip (RFC 9110 §12.5.3). Without the header, gzip is not used. */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  return chooseCoding(acceptEncoding, ['gzip']) !== undefined
}

/**
 * Which of the offered codings the header `Accept-Encoding` prefers; of equal ones the first offered. Nothing where it takes none of
 * them or was not sent. Source: RFC 9110 §12.5.3.
 */
export function chooseCoding<Coding extends string>(
  acceptEncoding: string | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  const ranges = rangesIn(acceptEncoding ?? '')
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

/** RFC 9110 §5.6.1.2: no more list elements than a client means. Browsers send fewer than ten. */
const rangesMax = 50

function rangesIn(list: string): readonly Range[] {
  return list.split(',', rangesMax).map(readRange)
}

interface Range {
  readonly range: string
  readonly quality: number
}

function readRange(text: string): Range {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const quality = weight === undefined ? 1 : Number(weight)
  return { range, quality: Number.isFinite(quality) ? Math.min(1, Math.max(0, quality)) : 0 }
}

/** The most specific range decides, whatever its weight. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [family] = type.split('/')
  for (const wanted of [type, `${family}/*`, '*/*']) {
    const found = ranges.find(({ range }) => range === wanted)
    if (found) return found.quality
  }
  return 0
}
