import Type from 'typebox'

/** An operation that will go. It answers as before until then; what to call in its place is behind the link. */
export interface Deprecation {
  /** The day since which it is not to be used in new programs, such as `2027-01-31`. */
  readonly since: string
  /** The day from which it may be gone: at least six months later, by docs/upgrading.md. */
  readonly sunset: string
  /** Where it stands what to do, such as a heading of docs/upgrading.md. */
  readonly link: string
}

/** Of every answer of the operation, refusals too: a date of Structured Fields (RFC 9745 §2) and one of HTTP (RFC 8594 §3). */
export function deprecationHeaders({ since, sunset, link }: Deprecation): {
  readonly deprecation: string
  readonly sunset: string
  readonly link: string
} {
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${link}>; rel="deprecation"; type="text/html"`,
  }
}

/** The same for the OpenAPI document. */
export const deprecationHeaderSchemas = {
  Deprecation: { description: 'Since when it is deprecated (RFC 9745).', schema: Type.String() },
  Sunset: { description: 'From when it may be gone (RFC 8594).', schema: Type.String() },
}

/** As a sentence of the description. */
export function sentenceOfDeprecation({ since, sunset, link }: Deprecation): string {
  return `Deprecated since ${since}, and gone after ${sunset} at the earliest: [what to call in its place](${link}).`
}
