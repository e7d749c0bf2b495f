import Type, { type TObject, type TObjectOptions, type TProperties, type TSchema, type TString } from 'typebox'
import type { Deprecation } from './deprecation.ts'
import { uuidRules } from './formats.ts'

/** One kind of body that an answer can have. Examples are part of the contract: tests hold them to the schema. */
export interface AnswerContent {
  readonly schema: TSchema
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
}

/** A body that is text, with how one begins as its example. */
export function textContent<MediaType extends `text/${string}` | 'application/openmetrics-text'>(
  mediaType: MediaType,
  start: string,
): Record<MediaType, AnswerContent & { readonly schema: TString }> {
  const content = { schema: Type.String(), examples: { start: { summary: 'How it begins', value: start } } }
  // A cast, because the type of a computed name is any name.
  return { [mediaType]: content } as Record<MediaType, typeof content>
}

/** An object with these members and no others. */
export function object<Members extends TProperties>(members: Members, options: TObjectOptions = {}): TObject<Members> {
  return Type.Object(members, { additionalProperties: false, ...options })
}

/** The same under a name of its own in the OpenAPI document and in the types of clients. */
export function named<Members extends TProperties>(
  $id: string,
  members: Members,
  options: TObjectOptions = {},
): TObject<Members> {
  return object(members, { ...options, $id })
}

/** Parameters of a path that are ids: `ids('orgId', 'userId')`. */
export function ids<const Names extends readonly string[]>(...names: Names): TObject<Record<Names[number], TString>> {
  const members = Object.fromEntries(names.map((name) => [name, Type.String(uuidRules)]))
  // A cast, because the names of computed members are any names.
  return object(members) as TObject<Record<Names[number], TString>>
}

/**
 * The parameters of a list in pages. `things` are counted, such as `Users`; a cursor is valid as long as `fixed` stays the same, such as
 * `filters and sort`.
 */
export function pageQuery(things: string, sizes: { readonly max: number; readonly usual: number }, fixed: string) {
  return {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: sizes.max, description: `${things} on a page. Default: ${sizes.usual}.` }),
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

/** The header of a list in pages that lead both ways. */
export const pageLinks = {
  Link: {
    description:
      'RFC 8288: `<…>; rel="next", <…>; rel="prev"`. `next` is absent on the last page, `prev` on the first.',
    schema: Type.String(),
  },
} as const

/** An answer in JSON, with one example. */
export function json<Schema extends TSchema>(description: string, schema: Schema, value: unknown) {
  return {
    description,
    content: { 'application/json': { schema, examples: { example: { summary: description, value } } } },
  } as const
}

export interface AnswerContract {
  readonly description: string
  readonly content?: Readonly<Record<string, AnswerContent>>
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: TSchema }>>
}

/**
 * Who may call an operation. The gate enforces it before the body is read; OpenAPI, docs/permissions.md and the table in app.ts
 * show it.
 *
 * - `public`: anyone; no token is read.
 * - `metrics-token`: the holder of the token set as `MUSTER_METRICS_TOKEN`.
 * - `caller`: anyone with an access token of a known issuer; the operation concerns the caller's own account.
 * - `resource:action`: a caller to whom a role or a plan grants it. Which of them counts follows from the resource:
 *   src/identity/permission-scope.ts.
 * - `resource:action in {orgId}`: a member whose role in the organization of the path grants it. For anyone else the organization
 *   does not exist (404).
 * - `member in {orgId}`: any member of the organization of the path.
 */
export type Permission = 'public' | 'metrics-token' | 'caller' | 'member in {orgId}' | `${string}:${string}`

/**
 * What the session of the caller must have proved, beside the permission: otherwise 401 `step_up_required` (RFC 9470). The gate enforces
 * it before the body is read. Source: docs/decisions/levels.md.
 */
export interface Needs {
  /** 2: a session with a second factor. `factor`: the same where the account has one. */
  readonly aal?: 2 | 'factor'
  /** The longest time since the user authenticated. */
  readonly maxAgeSeconds?: number
  /** Where the account has no second factor, what the body holds is enough: the password. */
  readonly proofInBody?: true
}

/** Of operations that change how the caller signs in, or that hand out or remove everything of the caller. */
export const ownAccountNeeds = { aal: 'factor', maxAgeSeconds: 600 } as const satisfies Needs

/** Of operations by which an administrator gives power over an account. A role may require a second factor beside them. */
export const administratorNeeds = { maxAgeSeconds: 900 } as const satisfies Needs

/** One operation as promised to its callers. Handler types, validation and the OpenAPI document follow from it. */
export interface OperationContract {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With OpenAPI's placeholders: `/api/v1/users/{userId}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly permission: Permission
  readonly needs?: Needs
  /** An administrator who acts as the caller can read it, too: for `caller` and `GET` alone. */
  readonly actAs?: true
  readonly deprecated?: Deprecation
  /** A session that a generated password opened may call it, which may do nothing else. */
  readonly withInitialPassword?: true
  /** It answers whatever host the request names: probes know a node by any of its addresses. */
  readonly anyHost?: true
  /** It has a limit of its own, and does not count as a write. */
  readonly countsItself?: true
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TObject
  /** A call without a body is one with an empty object. */
  readonly isBodyOptional?: true
  /** The body is handed over as it came, up to so many bytes, and `body` only documents it: a signature covers bytes. */
  readonly rawBody?: { readonly bytesMax: number }
  /** Maximum size of the body, if it is not the usual one (`bodyBytesMax` in new-server.ts). */
  readonly bodyBytesMax?: number
  /** Maximum number of members and list elements in the body, if it is not the usual one (`bodyItemsMax` in read-body.ts). */
  readonly bodyItemsMax?: number
  readonly bodyExamples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
  readonly answers: Readonly<Record<number, AnswerContract>>
  /** Codes of the problems that it can answer, beside those that follow from the rest: `problemsOf`. */
  readonly problems?: readonly string[]
}
