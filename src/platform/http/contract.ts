import Type, {
  type TBoolean,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TString,
} from 'typebox'
import { uuidRules } from './formats.ts'

/** One media type of a response. Tests check the examples against the schema. */
export interface AnswerContent {
  readonly schema: TSchema
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
}

/** A text body. `start`: the first lines, as the example. */
export function textContent<MediaType extends `text/${string}` | 'application/openmetrics-text'>(
  mediaType: MediaType,
  start: string,
): Record<MediaType, AnswerContent & { readonly schema: TString }> {
  const content = { schema: Type.String(), examples: { start: { summary: 'How it begins', value: start } } }
  // A cast, because TypeScript widens a computed name to `string`.
  return { [mediaType]: content } as Record<MediaType, typeof content>
}

/** An object without additional members. */
export function object<Members extends TProperties>(members: Members, options: TObjectOptions = {}): TObject<Members> {
  return Type.Object(members, { additionalProperties: false, ...options })
}

/** Like `object`, with a name in the OpenAPI document and in the client types. */
export function named<Members extends TProperties>(
  $id: string,
  members: Members,
  options: TObjectOptions = {},
): TObject<Members> {
  return object(members, { ...options, $id })
}

/** Path parameters that are IDs: `ids('orgId', 'userId')`. */
export function ids<const Names extends readonly string[]>(...names: Names): TObject<Record<Names[number], TString>> {
  const members = Object.fromEntries(names.map((name) => [name, Type.String(uuidRules)]))
  // A cast, because TypeScript widens computed names to `string`.
  return object(members) as TObject<Record<Names[number], TString>>
}

/**
 * The query parameter of an operation whose permission an organization can grant, and whose path names none. The gate
 * requires it of such a contract, and reads it.
 */
export const organizationParameter = {
  orgId: Type.Optional(
    Type.String({
      ...uuidRules,
      description:
        'The organization whose role and plan count. Default: the current organization, otherwise the one joined first.',
    }),
  ),
}

/** Query parameters of a paged list. `items` such as `Users`; `fixed`: what must stay the same for a cursor, such as `filters and sort`. */
export function pageQuery(items: string, sizes: { readonly max: number; readonly usual: number }, fixed: string) {
  return {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: sizes.max, description: `${items} per page. Default: ${sizes.usual}.` }),
    ),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: `From the \`Link\` of another page. Opaque; valid for the same ${fixed} only.`,
      }),
    ),
  }
}

/** Response header of a list with links to the next and the previous page. */
export const pageLinks = {
  Link: {
    description:
      'RFC 8288: `<…>; rel="next", <…>; rel="prev"`. `next` is absent on the last page, `prev` on the first.',
    schema: Type.String(),
  },
} as const

/** A time, in RFC 3339. */
export function time(description = ''): TString {
  return Type.String({ description: `RFC 3339. ${description}`.trim() })
}

/** A described text. */
export function text(description: string): TString {
  return Type.String({ description })
}

/** A described Boolean. */
export function flag(description: string): TBoolean {
  return Type.Boolean({ description })
}

/** A JSON response with one example. */
export function json<Schema extends TSchema>(description: string, schema: Schema, value: unknown) {
  return jsonExamples(description, schema, { example: { summary: description, value } })
}

/** A JSON response with several examples. */
export function jsonExamples<Schema extends TSchema>(
  description: string,
  schema: Schema,
  examples: AnswerContent['examples'],
) {
  return { description, content: { 'application/json': { schema, examples } } } as const
}

/** The response 304. */
export const unchanged = { description: 'Not modified.' } as const

export interface AnswerContract {
  readonly description: string
  readonly content?: Readonly<Record<string, AnswerContent>>
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: TSchema }>>
}

/**
 * Who may call an operation. The gate enforces it before the body is read. OpenAPI, docs/permissions.md and the table in app.ts show it.
 *
 * - `public`: anyone. No token is read.
 * - `metrics-token`: a request with the token in `MUSTER_METRICS_TOKEN`.
 * - `caller`: anyone with an access token of a known issuer, for the caller's own user.
 * - `resource:action`: a caller whose role or plan grants it. src/identity/permission-scope.ts maps resources to roles and plans. If an
 *   organization can grant it, the contract has `organizationParameter`. Another organization than the caller's own is 404.
 * - `resource:action in {orgId}`: a member whose role in the organization of the path grants it. Others get 404.
 * - `member in {orgId}`: any member of the organization of the path. Others get 404.
 */
export type Permission = 'public' | 'metrics-token' | 'caller' | 'member in {orgId}' | `${string}:${string}`

/**
 * Required authentication of the caller's session, besides the permission. The gate responds with 401 `step_up_required` (RFC 9470) before
 * the body is read. Source: docs/decisions/levels.md.
 */
export interface Needs {
  /** 2: the session has a second factor. `factor`: the same, if the account has a second factor. */
  readonly aal?: 2 | 'factor'
  /** Maximum time since the user authenticated. */
  readonly maxAgeSeconds?: number
  /** Without a second factor, the password in the request body is enough. */
  readonly proofInBody?: true
}

/** For operations that change how the caller signs in, or that export or delete all data of the caller. */
export const ownAccountNeeds = { aal: 'factor', maxAgeSeconds: 600 } as const satisfies Needs

/** For operations of administrators that affect access to a user. A role may require a second factor too. */
export const administratorNeeds = { maxAgeSeconds: 900 } as const satisfies Needs

/** One operation. Handler types, validation and the OpenAPI document are derived from it. */
export interface OperationContract {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With OpenAPI placeholders: `/api/v1/users/{userId}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly permission: Permission
  readonly needs?: Needs
  /** Also available to an administrator acting as the user. Only for `GET` with the permission `caller`. */
  readonly actAs?: true
  readonly deprecated?: Deprecation
  /** Allowed while the user must change a generated password. */
  readonly withInitialPassword?: true
  /** Accepts any Host header: probes use any address of the node. */
  readonly anyHost?: true
  /** Has its own rate limit, so it does not count as a write. */
  readonly countsItself?: true
  readonly params?: TObject
  readonly query?: TObject
  /** Optional request headers, for the documentation. The handler reads them itself. */
  readonly headers?: TObject
  readonly body?: TObject
  /** A missing body counts as an empty object. */
  readonly isBodyOptional?: true
  /** The handler gets the raw bytes, for verifying a signature. `body` is documentation only. */
  readonly rawBody?: { readonly bytesMax: number }
  /** Maximum size of the body. Default: `bodyBytesMax` in new-server.ts. */
  readonly bodyBytesMax?: number
  /** Maximum number of members and list elements in the body. Default: `bodyItemsMax` in read-body.ts. */
  readonly bodyItemsMax?: number
  readonly bodyExamples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
  readonly answers: Readonly<Record<number, AnswerContract>>
  /** Codes of additional problems, besides those that `problemsOf` derives from the contract. */
  readonly problems?: readonly string[]
}

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

/** Request header: ID of the user as whom an administrator reads. In lower case, as in Node. */
export const actAsHeader = 'act-as'
/** Response header: the administrator's account. */
export const actedByHeader = 'acted-by'

/** For the OpenAPI document. Source: docs/decisions/callers.md. */
export const actAsParameter = {
  name: 'Act-As',
  description:
    'ID of the user as whom an administrator reads. Start with `POST /api/v1/admin/users/{userId}/act-as`. The response has the data of that user, is not cached, and has `Acted-By` and no `ETag`.',
  schema: Type.String(uuidRules),
} as const

export const actedByHeaders = {
  'Acted-By': {
    description:
      'In a response to `Act-As`: ID of the administrator. Without this header, the response is about the caller.',
    schema: Type.String(),
  },
} as const

type Unrouted = Omit<OperationContract, 'method' | 'path' | 'permission'>

type IdNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | IdNames<Rest> : never

type IdParams<Path extends string> = [IdNames<Path>] extends [never]
  ? unknown
  : { readonly params: TObject<Record<IdNames<Path>, TString>> }

type Routed<Method, Path extends string, Allowed, Rest> = Rest &
  (Rest extends { readonly params: TObject } ? unknown : IdParams<Path>) & {
    readonly method: Method
    readonly path: Path
    readonly permission: Allowed
  }

/**
 * The contract of an operation. Method, path and permission are written as in the table of app.ts. The parameters of the
 * path are IDs, unless `params` has their schemas.
 */
export function contract<
  const Method extends OperationContract['method'],
  const Path extends `/${string}`,
  const Allowed extends Permission,
  const Rest extends Unrouted,
>(
  route: `${Method} ${Path}`,
  permission: Allowed,
  rest: Rest & Record<Exclude<keyof Rest, keyof Unrouted>, never>,
): Routed<Method, Path, Allowed, Rest> {
  const [method, path = ''] = route.split(' ')
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => name)
  const params = names.length > 0 ? { params: ids(...names) } : {}
  // A cast, because the compiler does not know which method, path and parameters a text has.
  return { ...params, ...rest, method, path, permission } as unknown as Routed<Method, Path, Allowed, Rest>
}
