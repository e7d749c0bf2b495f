import Type from 'typebox'

/** Deprecation of an operation. The operation works unchanged until it is removed. */
export interface Deprecation {
  /** Date of the deprecation, such as `2027-01-31`. */
  readonly since: string
  /** Earliest date of the removal: at least six months later (docs/upgrading.md). */
  readonly sunset: string
  /** Instructions, such as a heading of docs/upgrading.md. */
  readonly link: string
}

/** Headers of every response of the operation, including problems (RFC 9745 §2, RFC 8594 §3). */
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

/** For the OpenAPI document. */
export const deprecationHeaderSchemas = {
  Deprecation: { description: 'Date of the deprecation (RFC 9745).', schema: Type.String() },
  Sunset: { description: 'Earliest date of the removal (RFC 8594).', schema: Type.String() },
}

/** A sentence for the description of the operation. */
export function deprecationNote({ since, sunset, link }: Deprecation): string {
  return `Deprecated since ${since}. It may be removed after ${sunset}: [what to call instead](${link}).`
}
