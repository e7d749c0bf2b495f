/**
 * Every problem of the API. A code is a promise: its meaning never changes, and clients decide by it. Each code has one title, and a
 * heading in docs/problems.md, to which the problem's `type` links.
 * Source of the shape: RFC 9457.
 */
export const problems = {
  // The request
  body_malformed: { status: 400, title: 'The body is not well-formed JSON.' },
  input_invalid: { status: 400, title: 'The request does not match the contract.' },
  request_malformed: { status: 400, title: 'The request is not well-formed HTTP.' },
  host_invalid: { status: 400, title: 'The request does not name exactly one valid host.' },
  cursor_invalid: { status: 400, title: 'The cursor does not belong to this query.' },
  provider_unsupported: { status: 400, title: 'This provider is not supported.' },
  route_unknown: { status: 404, title: 'No operation has this path.' },
  method_not_allowed: { status: 405, title: 'This path does not support the method.' },
  format_not_acceptable: { status: 406, title: 'None of the requested formats is available.' },
  request_timeout: { status: 408, title: 'The request did not arrive in time.' },
  precondition_failed: { status: 412, title: 'The resource has changed since it was read.' },
  body_too_large: { status: 413, title: 'The body is too large.' },
  uri_too_long: { status: 414, title: 'The URL is too long.' },
  content_type_unsupported: { status: 415, title: 'The content type of the body is not supported.' },
  expectation_failed: { status: 417, title: 'The expectation in the header Expect cannot be met.' },
  origin_refused: { status: 403, title: 'The operation is for pages of this service only.' },
  https_required: { status: 403, title: 'The console needs https.' },
  host_unknown: { status: 421, title: 'The service does not answer under this host name.' },
  precondition_required: { status: 428, title: 'The request needs an If-Match header.' },
  headers_too_large: { status: 431, title: 'The header fields are too large.' },
  method_unknown: { status: 501, title: 'The method is not supported.' },
  version_unsupported: { status: 505, title: 'This version of HTTP is not supported.' },

  // Billing
  webhook_unsigned: { status: 400, title: 'The signature of the webhook is missing or not valid.' },
  webhook_outdated: { status: 400, title: 'The time of the webhook’s signature is too far from now.' },
  webhook_unreadable: { status: 400, title: 'The event of the webhook lacks required members.' },
  price_unknown: { status: 400, title: 'This price is not for sale.' },
  customer_owner_changed: { status: 409, title: 'The customer has no such owner to confirm.' },
  sync_running: { status: 409, title: 'A reconciliation is running already.' },
  customer_unknown: { status: 404, title: 'The payment processor has no customer for this account or organisation.' },

  // Who is calling
  token_missing: { status: 401, title: 'The request has no bearer token.' },
  token_malformed: { status: 401, title: 'The bearer token is not well-formed.' },
  token_invalid: { status: 401, title: 'The bearer token is not accepted.' },
  token_expired: { status: 401, title: 'The bearer token has expired.' },
  session_ended: { status: 401, title: 'The session of this token has ended.' },
  password_change_required: { status: 403, title: 'The password of this session must be changed first.' },
  account_disabled: { status: 401, title: 'This account is disabled.' },
  account_erasing: { status: 403, title: 'The account is going to be erased.' },
  account_removed: { status: 401, title: 'The account of this token was removed.' },
  step_up_required: { status: 401, title: 'The operation needs a newer or a stronger proof of who is calling.' },
  account_unknown: { status: 403, title: 'No account belongs to this token.' },
  caller_not_a_person: { status: 403, title: 'This operation is for people, and not for a service key.' },
  act_as_read_only: { status: 403, title: 'Who acts as a user can only read what is that user’s own.' },
  act_as_ended: { status: 403, title: 'The caller does not act as this user, or does not any more.' },
  permission_missing: { status: 403, title: 'The caller lacks a permission.' },
  permission_exceeds: {
    status: 403,
    title: 'The caller’s own role does not grant every permission that this needs.',
  },
  self_change: { status: 403, title: 'The caller’s own role can only be changed to one that grants less.' },
  organization_unknown: { status: 404, title: 'The caller is not a member of such an organisation.' },
  user_unknown: { status: 404, title: 'No user has this id.' },
  user_disabled: { status: 409, title: 'This user is disabled.' },
  member_unknown: { status: 404, title: 'The organisation has no such member.' },
  member_already: { status: 409, title: 'The caller is already a member.' },
  last_owner: { status: 409, title: 'No other member can manage the organisation.' },
  invitation_unknown: { status: 404, title: 'The invitation does not exist or is no longer valid.' },
  invitations_full: { status: 409, title: 'The organisation has the maximum number of open invitations.' },
  subscription_active: { status: 409, title: 'A subscription of the account has not ended.' },
  last_administrator: { status: 409, title: 'No other administrator can sign in.' },
  service_key_unknown: { status: 404, title: 'No service key that can be changed has this id.' },
  service_key_name_taken: { status: 409, title: 'Another service key has this name.' },
  webhook_endpoint_unknown: { status: 404, title: 'No endpoint of webhooks has this id.' },
  webhook_delivery_unknown: { status: 404, title: 'The endpoint of webhooks has no such delivery.' },
  webhook_endpoint_disabled: { status: 409, title: 'The endpoint of webhooks is disabled.' },
  webhook_endpoints_full: { status: 409, title: 'The service has the maximum number of endpoints of webhooks.' },
  issuer_unavailable: { status: 503, title: 'The verification keys of the token’s issuer are unavailable.' },

  // The built-in issuer
  sign_in_refused: { status: 401, title: 'The e-mail address or the password is wrong.' },
  sign_in_wait: { status: 429, title: 'Too many attempts to sign in have failed lately.' },
  sign_up_refused: { status: 403, title: 'This address cannot sign up.' },
  challenge_invalid: { status: 401, title: 'The challenge is not valid any more.' },
  code_refused: { status: 403, title: 'The code, or the answer of the passkey, is wrong or was used before.' },
  passkey_refused: { status: 401, title: 'The passkey is not accepted.' },
  passkey_invalid: { status: 400, title: 'The new passkey does not belong to the options that it was asked for.' },
  passkeys_unavailable: { status: 409, title: 'The service has no address at which browsers use passkeys.' },
  refresh_refused: { status: 401, title: 'The refresh token is not accepted.' },
  password_wrong: { status: 403, title: 'The password is wrong.' },
  factor_required: { status: 403, title: 'The account has a second factor, which is needed too.' },
  session_foreign: { status: 403, title: 'Another issuer keeps the sessions of this account.' },
  session_unknown: { status: 404, title: 'The caller has no such session.' },
  device_unknown: { status: 404, title: 'The caller has no such device.' },
  factor_unknown: { status: 404, title: 'The caller has no such factor.' },
  factor_verified: { status: 409, title: 'The factor is already verified.' },
  factor_name_taken: { status: 409, title: 'Another factor of the caller has this name.' },
  factor_limit_reached: { status: 409, title: 'The caller has the maximum number of factors.' },
  factor_missing: { status: 409, title: 'The caller has no verified factor.' },
  link_invalid: { status: 400, title: 'The link is not valid any more.' },
  password_missing: { status: 409, title: 'The account has no password here.' },
  mail_unconfigured: { status: 409, title: 'The service sends no mail.' },
  email_unproved: { status: 409, title: 'The address of this user is not proved.' },
  self_recovery: { status: 403, title: 'Recovery links are for the accounts of others.' },
  rotation_running: { status: 409, title: 'A key rotation is already under way.' },

  // How often
  rate_limited: { status: 429, title: 'The caller sent too many requests.' },
  key_checks_held: { status: 429, title: 'The provider refused several keys of the caller.' },

  // What Muster depends on
  database_unavailable: { status: 503, title: 'The database cannot be reached.' },
  schema_unsupported: { status: 503, title: 'A newer release has migrated the database.' },
  read_only: { status: 503, title: 'Nothing can be changed at the moment.' },
  shutting_down: { status: 503, title: 'The service is shutting down.' },
  count_timeout: { status: 503, title: 'The count took too long.' },
  overloaded: { status: 503, title: 'The service is overloaded.' },
  provider_answer_unexpected: { status: 502, title: 'The provider returned an unexpected answer.' },
  provider_refused: { status: 503, title: 'The provider refused the credential without a known reason.' },
  provider_address_refused: { status: 503, title: 'The provider refuses calls from the address of this service.' },
  provider_clock_refused: { status: 503, title: 'The provider refuses the time of this service.' },
  provider_unreachable: { status: 502, title: 'The provider could not be reached.' },
  provider_busy: { status: 503, title: 'The provider cannot be called right now.' },
  provider_timeout: { status: 504, title: 'The provider did not answer in time.' },
  processor_refused: { status: 502, title: 'The payment processor refused the request.' },
  processor_unavailable: { status: 503, title: 'The payment processor cannot be reached right now.' },
  internal_error: { status: 500, title: 'An internal error occurred.' },
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
  /** Of `permission_exceeds`: from each resource to the actions that the caller's role does not grant. */
  readonly missing?: Readonly<Record<string, readonly string[]>>
  /** Of `sign_in_wait`: what has no attempts left. */
  readonly scope?: 'account' | 'network'
  /** Of `sign_in_wait`: how to sign in before the wait is over. */
  readonly ways?: readonly ('known_device' | 'second_factor' | 'recovery')[]
  /** Of `step_up_required`: what the session must have proved. */
  readonly needs?: { readonly acrValues?: string; readonly maxAgeSeconds?: number }
  /** Of `account_erasing`: with what the owner keeps the account, and until when. */
  readonly keep?: {
    readonly challenge: string
    readonly factors: readonly { readonly id: string; readonly type: string; readonly friendlyName: string }[]
    readonly passkey?: { readonly options: object }
    readonly erasesAt: string
  }
  readonly retryAfterSeconds?: number
  /** Response headers that belong to this refusal, such as `allow`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The account that called, where the refusal knows it. For the log only; never leaves the process. */
  readonly accountId?: string
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

/** Throws the problem, so that the main path of a function stays flat. */
export function refuse(code: ProblemCode, more: ProblemMore = {}): never {
  throw new Problem(code, more)
}
