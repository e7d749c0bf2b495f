/**
 * Every problem the API can answer. A code is a promise: its meaning never changes, and clients decide by it.
 * `title` is fixed per code; each code has its heading in docs/problems.md, to which the problem's `type` links.
 * Source of the shape: RFC 9457.
 */
export const problems = {
  // The request
  body_malformed: { status: 400, title: 'The body is not well-formed JSON.' },
  input_invalid: { status: 400, title: 'The request does not fit the contract.' },
  request_malformed: { status: 400, title: 'The request is not well-formed HTTP.' },
  cursor_invalid: { status: 400, title: 'The cursor was not made for this query.' },
  provider_unsupported: { status: 400, title: 'This provider is not supported.' },
  route_unknown: { status: 404, title: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, title: 'This address does not take that method.' },
  format_not_acceptable: { status: 406, title: 'None of the formats asked for is available.' },
  request_timeout: { status: 408, title: 'The request did not arrive in time.' },
  precondition_failed: { status: 412, title: 'What was to be changed has changed already.' },
  body_too_large: { status: 413, title: 'The body is too large.' },
  uri_too_long: { status: 414, title: 'The address is too long.' },
  content_type_unsupported: { status: 415, title: 'The body is of a type that is not taken here.' },
  precondition_required: { status: 428, title: 'The change does not say which state it is for.' },
  headers_too_large: { status: 431, title: 'The header fields are too large.' },
  method_unknown: { status: 501, title: 'That method is not known.' },

  // Billing
  webhook_unsigned: { status: 400, title: 'The signature of the webhook does not hold.' },
  webhook_outdated: { status: 400, title: 'The signature of the webhook is too old.' },
  webhook_unreadable: { status: 400, title: 'The event of the webhook is not of the expected form.' },
  price_unknown: { status: 400, title: 'There is no such price for sale.' },
  customer_unknown: { status: 404, title: 'Nothing was bought yet, so there is nothing to manage.' },

  // Who is calling
  token_missing: { status: 401, title: 'No bearer token was sent.' },
  token_malformed: { status: 401, title: 'The bearer token is not well-formed.' },
  token_invalid: { status: 401, title: 'The bearer token is not accepted.' },
  token_expired: { status: 401, title: 'The bearer token has expired.' },
  session_ended: { status: 401, title: 'The session of this token has ended.' },
  account_disabled: { status: 401, title: 'This account is disabled.' },
  account_removed: { status: 401, title: 'This account was removed.' },
  account_unknown: { status: 403, title: 'Nobody here goes by this token.' },
  permission_missing: { status: 403, title: 'The caller lacks a permission.' },
  organization_unknown: { status: 404, title: 'There is no such organisation among the caller’s.' },
  user_unknown: { status: 404, title: 'There is no such user.' },
  member_unknown: { status: 404, title: 'There is no such member of this organisation.' },
  member_already: { status: 409, title: 'The caller is a member already.' },
  last_owner: { status: 409, title: 'This is the last one who may manage the organisation.' },
  invitation_unknown: { status: 404, title: 'There is no such invitation.' },
  invitations_full: { status: 409, title: 'As many invitations are open as there may be.' },
  last_administrator: { status: 409, title: 'This is the last administrator.' },
  issuer_unavailable: { status: 503, title: 'The keys of the token’s issuer cannot be had.' },

  // The built-in issuer
  sign_in_refused: { status: 401, title: 'The e-mail address or the password is wrong.' },
  sign_up_refused: { status: 403, title: 'This address cannot be signed up.' },
  challenge_invalid: { status: 401, title: 'The sign-in has to begin again.' },
  code_refused: { status: 403, title: 'The code is wrong or was used before.' },
  refresh_refused: { status: 401, title: 'The refresh token is not accepted.' },
  password_wrong: { status: 403, title: 'The password is wrong.' },
  session_foreign: { status: 403, title: 'This token is of an issuer that keeps its own sessions.' },
  session_unknown: { status: 404, title: 'There is no such session among the caller’s.' },
  factor_unknown: { status: 404, title: 'There is no such factor among the caller’s.' },
  factor_verified: { status: 409, title: 'This factor is verified already.' },
  factor_name_taken: { status: 409, title: 'Another factor of the caller has this name.' },
  factor_limit_reached: { status: 409, title: 'The caller has as many factors as there may be.' },
  factor_missing: { status: 409, title: 'The caller has no verified factor.' },
  rotation_running: { status: 409, title: 'A new signing key is waiting to be used.' },

  // How often
  rate_limited: { status: 429, title: 'Too many requests.' },

  // What Muster depends on
  database_unavailable: { status: 503, title: 'The database cannot be reached.' },
  shutting_down: { status: 503, title: 'The service is shutting down.' },
  count_timeout: { status: 503, title: 'Counting took too long.' },
  overloaded: { status: 503, title: 'The service is too busy.' },
  provider_answer_unexpected: { status: 502, title: 'The provider returned an unexpected answer.' },
  provider_unreachable: { status: 502, title: 'The provider could not be reached.' },
  provider_busy: { status: 503, title: 'The provider cannot be asked right now.' },
  provider_timeout: { status: 504, title: 'The provider did not answer in time.' },
  processor_refused: { status: 502, title: 'The payment processor refused what it was asked.' },
  processor_unavailable: { status: 503, title: 'The payment processor cannot be asked right now.' },
  internal_error: { status: 500, title: 'Something went wrong here.' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof problems

/** One fault of the input: a member of the body (`pointer`, RFC 6901) or a query, path or header parameter. */
export type InputFault =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string }

export interface ProblemMore {
  /** Written for the caller; leaves the process. */
  readonly detail?: string
  readonly errors?: readonly InputFault[]
  readonly retryAfterSeconds?: number
  /** Response headers that belong to this refusal, such as `allow`. */
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only; never leaves the process. */
  readonly cause?: unknown
}

export class Problem extends Error {
  readonly code: ProblemCode
  readonly more: ProblemMore

  constructor(code: ProblemCode, more: ProblemMore = {}) {
    super(more.detail ?? problems[code].title, { cause: more.cause })
    this.name = 'Problem'
    this.code = code
    this.more = more
  }

  get status(): number {
    return problems[this.code].status
  }
}

/** Throws the problem, so that the good path of a function stays flat. */
export function refuse(code: ProblemCode, more: ProblemMore = {}): never {
  throw new Problem(code, more)
}
