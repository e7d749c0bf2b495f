import type { TObject, TSchema } from 'typebox'

/** One kind of body that an answer can have. Examples are part of the contract: tests hold them to the schema. */
export interface AnswerContent {
  readonly schema: TSchema
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
}

export interface AnswerContract {
  readonly description: string
  readonly content?: Readonly<Record<string, AnswerContent>>
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: TSchema }>>
}

/** One operation as promised to its callers. Handler types, validation and the OpenAPI document follow from it. */
export interface OperationContract {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With OpenAPI's placeholders: `/api/v1/users/{userId}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /**
   * `public`: no token is asked for. `caller`: a bearer token that verifies; what the caller may do is for the operation to ask.
   * `scraper`: the token of the operator's monitoring.
   */
  readonly access: 'public' | 'caller' | 'scraper'
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TObject
  /** The body is handed over as it came, up to so many bytes, and `body` only documents it: a signature covers bytes. */
  readonly rawBody?: { readonly bytesMax: number }
  readonly bodyExamples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
  readonly answers: Readonly<Record<number, AnswerContract>>
  /** Codes of the problems that it can answer, beside those that every operation can. */
  readonly problems: readonly string[]
}
