/**
 * All problems of the API (RFC 9457). Clients decide by `code`, whose meaning never changes. Each code has one title and a heading in
 * docs/problems.md, to which `type` links.
 */
export const problems = {
  // The request
  body_malformed: { status: 400, title: 'The body is not well-formed JSON.' },
  input_invalid: { status: 400, title: 'The request is invalid.' },
  request_malformed: { status: 400, title: 'The request is not well-formed HTTP.' },
  host_invalid: { status: 400, title: 'The Host header is missing or invalid.' },
  cursor_invalid: { status: 400, title: 'The cursor is invalid for this query.' },
  provider_unsupported: { status: 400, title: 'This provider is not supported.' },
  route_unknown: { status: 404, title: 'No operation has this path.' },
  method_not_allowed: { status: 405, title: 'This path does not support the method.' },
  format_not_acceptable: { status: 406, title: 'None of the requested formats is available.' },
  request_timeout: { status: 408, title: 'The request took too long to arrive.' },
  precondition_failed: { status: 412, title: 'The resource has changed since it was read.' },
  body_too_large: { status: 413, title: 'The body is too large.' },
  uri_too_long: { status: 414, title: 'The URL is too long.' },
  content_type_unsupported: { status: 415, title: 'The content type of the body is not supported.' },
  expectation_failed: { status: 417, title: 'The value of the Expect header is not supported.' },
  origin_refused: { status: 403, title: 'Only pages of this service can call this operation.' },
  https_required: { status: 403, title: 'The console requires HTTPS.' },
  host_unknown: { status: 421, title: 'The service does not accept requests for this host name.' },
  precondition_required: { status: 428, title: 'The If-Match header is required.' },
  headers_too_large: { status: 431, title: 'The headers are too large.' },
  method_unknown: { status: 501, title: 'The HTTP method is not supported.' },
  version_unsupported: { status: 505, title: 'This HTTP version is not supported.' },

  // Billing
  webhook_unsigned: { status: 400, title: 'The webhook signature is missing or invalid.' },
  webhook_outdated: { status: 400, title: 'The webhook signature is too old, or its time is in the future.' },
  webhook_unreadable: { status: 400, title: 'The webhook event lacks required members.' },
  price_unknown: { status: 400, title: 'This price is not for sale.' },
  customer_owner_changed: {
    status: 409,
    title: 'The customer has no owner to confirm, or belongs to a different owner.',
  },
  plan_unknown: { status: 404, title: 'The plan does not exist.' },
  subscription_exists: { status: 409, title: 'The payer already has a subscription.' },
  sync_running: { status: 409, title: 'A reconciliation is already running.' },
  customer_unknown: { status: 404, title: 'The payment processor has no customer for this user or organization.' },

  // Who is calling
  token_missing: { status: 401, title: 'The request has no bearer token.' },
  token_malformed: { status: 401, title: 'The bearer token is not well-formed.' },
  token_invalid: { status: 401, title: 'The bearer token is invalid.' },
  token_expired: { status: 401, title: 'The bearer token has expired.' },
  session_ended: { status: 401, title: 'The session has ended.' },
  password_change_required: { status: 403, title: 'You must change the generated password first.' },
  account_disabled: { status: 401, title: 'The user of this token is disabled.' },
  account_erasing: { status: 403, title: 'The user is scheduled for deletion.' },
  account_removed: { status: 401, title: 'The user of this token was deleted.' },
  step_up_required: { status: 401, title: 'This operation requires recent or stronger authentication.' },
  account_unknown: { status: 403, title: 'This token belongs to no user.' },
  caller_not_a_person: { status: 403, title: 'Service keys cannot call this operation.' },
  act_as_read_only: { status: 403, title: 'Acting as a user is read-only.' },
  act_as_ended: { status: 403, title: 'The caller is not acting as this user.' },
  permission_missing: { status: 403, title: 'The caller lacks a permission.' },
  permission_exceeds: {
    status: 403,
    title: 'The caller’s own role does not grant all permissions that this change requires.',
  },
  self_change: { status: 403, title: 'Callers can change their own role only to one that grants less.' },
  organization_unknown: { status: 404, title: 'The caller is not a member of this organization.' },
  user_unknown: { status: 404, title: 'No user has this ID.' },
  user_disabled: { status: 409, title: 'This user is disabled.' },
  member_unknown: { status: 404, title: 'The organization has no such member.' },
  member_already: { status: 409, title: 'This user is already a member.' },
  last_owner: { status: 409, title: 'An organization needs at least one owner.' },
  invitation_unknown: { status: 404, title: 'The invitation does not exist or is no longer valid.' },
  invitation_open: { status: 409, title: 'An invitation to this email is already open.' },
  invitations_full: { status: 409, title: 'The maximum number of open invitations has been reached.' },
  subscription_active: { status: 409, title: 'The user or the organization has an active subscription.' },
  last_administrator: { status: 409, title: 'At least one administrator must be able to sign in.' },
  service_key_unknown: { status: 404, title: 'The service key does not exist or can no longer be changed.' },
  service_key_name_taken: { status: 409, title: 'Another service key has this name.' },
  webhook_endpoint_unknown: { status: 404, title: 'No webhook endpoint has this ID.' },
  webhook_delivery_unknown: { status: 404, title: 'The webhook endpoint has no delivery with this ID.' },
  webhook_endpoint_disabled: { status: 409, title: 'The webhook endpoint is disabled.' },
  webhook_endpoints_full: { status: 409, title: 'The maximum number of webhook endpoints has been reached.' },
  issuer_unavailable: { status: 503, title: 'The verification keys of the token’s issuer are unavailable.' },

  // The built-in issuer
  sign_in_refused: { status: 401, title: 'The email or the password is wrong.' },
  sign_in_wait: { status: 429, title: 'Too many failed sign-in attempts.' },
  sign_up_refused: { status: 403, title: 'This email cannot sign up.' },
  challenge_invalid: { status: 401, title: 'The challenge is invalid or has expired.' },
  code_refused: { status: 403, title: 'The code or passkey response is wrong or was already used.' },
  passkey_refused: { status: 401, title: 'The passkey was rejected.' },
  passkey_invalid: { status: 400, title: 'The passkey does not match the registration options.' },
  passkeys_unavailable: { status: 409, title: 'The service is not configured for passkeys.' },
  refresh_refused: { status: 401, title: 'The refresh token is invalid.' },
  password_wrong: { status: 403, title: 'The password is wrong.' },
  factor_required: { status: 403, title: 'A second factor is required.' },
  session_foreign: { status: 403, title: 'Another issuer manages the sessions of this user.' },
  session_unknown: { status: 404, title: 'The caller has no session with this ID.' },
  device_unknown: { status: 404, title: 'The caller has no device with this ID.' },
  factor_unknown: { status: 404, title: 'The caller has no factor with this ID.' },
  factor_verified: { status: 409, title: 'The factor is already verified.' },
  factor_name_taken: { status: 409, title: 'Another factor of the caller has this name.' },
  factor_limit_reached: { status: 409, title: 'The maximum number of factors has been reached.' },
  factor_missing: { status: 409, title: 'The caller has no verified factor.' },
  link_invalid: { status: 400, title: 'The link is invalid or has expired.' },
  password_missing: { status: 409, title: 'The user has no password here.' },
  mail_unconfigured: { status: 409, title: 'No mail server is configured.' },
  email_unproved: { status: 409, title: 'The email of this user is not verified.' },
  self_recovery: { status: 403, title: 'You cannot create a recovery link for yourself.' },
  rotation_running: { status: 409, title: 'A key rotation is already in progress.' },

  // Limits
  rate_limited: { status: 429, title: 'The caller sent too many requests.' },
  key_checks_held: { status: 429, title: 'The provider rejected several keys of the caller.' },

  // Dependencies
  database_unavailable: { status: 503, title: 'The database cannot be reached.' },
  schema_unsupported: { status: 503, title: 'A newer release has migrated the database.' },
  read_only: { status: 503, title: 'The database is read-only at the moment.' },
  shutting_down: { status: 503, title: 'The service is shutting down.' },
  count_timeout: { status: 503, title: 'The count took too long.' },
  overloaded: { status: 503, title: 'The service is overloaded.' },
  provider_answer_unexpected: { status: 502, title: 'The provider returned an unexpected answer.' },
  provider_refused: { status: 503, title: 'The provider rejected the credential without saying whether it is valid.' },
  provider_address_refused: { status: 503, title: 'The provider rejects calls from the IP address of this service.' },
  provider_clock_refused: { status: 503, title: 'The provider rejects the clock of this service.' },
  provider_unreachable: { status: 502, title: 'The provider could not be reached.' },
  provider_busy: { status: 503, title: 'The provider cannot be called right now.' },
  provider_timeout: { status: 504, title: 'The provider did not answer in time.' },
  processor_refused: { status: 502, title: 'The payment processor rejected the request.' },
  processor_unavailable: { status: 503, title: 'The payment processor is unavailable.' },
  internal_error: { status: 500, title: 'An internal error occurred.' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof problems

/** One invalid input: a member of the body (`pointer`, RFC 6901), or a query, path or header parameter. */
export type InputFault =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string }

interface ProblemMore {
  /** Explanation for the caller. Sent in the response. */
  readonly detail?: string
  readonly errors?: readonly InputFault[]
  /** Of `permission_exceeds`: the missing actions by resource. */
  readonly missing?: Readonly<Record<string, readonly string[]>>
  /** Of `sign_in_wait`: which limit was reached. */
  readonly scope?: 'account' | 'network'
  /** Of `sign_in_wait`: how to sign in without waiting. */
  readonly ways?: readonly ('known_device' | 'second_factor' | 'recovery')[]
  /** Of `step_up_required`: the required authentication. */
  readonly needs?: { readonly acrValues?: string; readonly maxAgeSeconds?: number }
  /** Of `account_erasing`: how to cancel the deletion, and until when. */
  readonly keep?: {
    readonly challenge: string
    readonly factors: readonly { readonly id: string; readonly type: string; readonly friendlyName: string }[]
    readonly passkey?: { readonly options: object }
    readonly erasesAt: string
  }
  readonly retryAfterSeconds?: number
  /** Additional response headers, such as `allow`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The caller's account, if known. For the log only; never sent to the caller. */
  readonly accountId?: string
  /** For the log only; never sent to the caller. */
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

/** Throws a problem. Returns `never`, so that callers need no `else`. */
export function refuse(code: ProblemCode, more: ProblemMore = {}): never {
  throw new Problem(code, more)
}
