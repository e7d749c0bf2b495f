import type { Mistake } from './key-type.ts'

/** The credential is genuine and active, with a restriction that the owner should know. */
export type Caveat =
  | 'limited_permissions'
  | 'ip_filtered'
  | 'state_not_shown'
  | 'account_restricted'
  | 'account_not_entitled'
  | 'service_not_enabled'
  | 'no_zones'
  | 'zones_refused'
  | 'capabilities_unknown'

/** `messages.ts` has a sentence for every reason. */
export type InvalidReason =
  | 'not_recognised'
  | 'wrong_pair'
  | 'wrong_part'
  | 'unknown_part'
  | 'wrong_parts'
  | 'other_provider'
  | 'other_service'
  | 'other_part'
  | Mistake
  | 'ended_service'
  | 'malformed_part'
  | 'unmatched_parts'
  | 'malformed'
  | 'malformed_email'
  | 'malformed_pair'
  | 'disabled'
  | 'expired'
  | 'not_yet_valid'
  | 'not_active'
  | 'suspended'
  | 'empty'
  | 'impossible_characters'

/**
 * `rate_limited` and `locked_out` start a cool-down of the whole provider. `key_rate_limited` starts one for that credential only; use it
 * only if the provider documents a limit per credential. `refused` is a rejection without a known reason: the credential may be wrong,
 * expired or limited, or the provider may have a temporary problem. `plan_refused` is about the account, `address_refused` and
 * `clock_refused` are about this server: the provider did not check the credential, or does not say so. `share_used`, `network_share_used`
 * and `too_many_failures` hold a check back, so that the provider does not lock this server out.
 */
export type UndeterminedReason =
  | 'unexpected_answer'
  | 'refused'
  | 'plan_refused'
  | 'address_refused'
  | 'clock_refused'
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'key_rate_limited'
  | 'locked_out'
  | 'share_used'
  | 'network_share_used'
  | 'too_many_failures'
  | 'overloaded'

/** What the value looks like. A hint improves a message and never decides, because key formats change without notice. */
export type Hint =
  | 'looks_like_global_key'
  | 'looks_like_token'
  | 'looks_like_id'
  | 'looks_like_origin_ca_key'
  | 'looks_like_oauth_token'
  | 'looks_like_secret_id'
  | 'looks_like_dns_console_token'
  | 'looks_mistyped'
  | 'looks_base64'
  | 'looks_quoted'

/** `messages.ts` has a sentence for each. For a type of key that is always too powerful, the key type has the `advice`. */
export type Excess = 'root' | 'everything' | 'all_accounts' | 'manages_users' | 'no_expiry'
