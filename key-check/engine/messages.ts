import type { Ability } from './answers.ts'
import type { Caveat, Excess, Hint, InvalidReason, UndeterminedReason } from './provider-facts.ts'

/**
 * Every sentence that a check can return. `found` is the result, `next` what to do about it. `{provider}` and `{label}` come from the
 * provider file, `{date}` and `{status}` from its answer, sanitized. Sentences contain no part of the credential or of the provider's text,
 * and at most 200 characters.
 */
export const catalogue = {
  valid: { found: 'The {provider} {label} is valid and active', next: 'it can be used' },
  not_checked: { found: 'The {provider} {label} is genuine', next: 'its permissions were not checked' },
  ability_missing: {
    found: 'The {provider} {label} is genuine, but it cannot {task}',
    next: 'add the permission {permission}',
  },
  limited_permissions: {
    found: '{provider} recognizes this {label}, but its permissions are limited',
    next: 'check that they cover what you need',
  },
  ip_filtered: {
    found: 'The {provider} {label} is valid, but its IP filter does not allow requests from this service',
    next: 'check that it allows the address where you use it',
  },
  state_not_shown: {
    found: '{provider} recognizes this {label}, but does not report its status',
    next: 'check its status in the dashboard',
  },
  account_restricted: {
    found: '{provider} recognizes this {label}, but the account is locked or has a warning',
    next: 'check the account',
  },
  account_not_entitled: {
    found: '{provider} recognizes this {label}, but does not allow the account to use this API',
    next: 'see what its plan includes',
  },
  service_not_enabled: {
    found: 'The {provider} {label} is genuine, but its account has not enabled {missing}',
    next: 'enable it and check again',
  },
  no_zones: {
    found: 'The {provider} {label} is genuine, but it cannot see any zones',
    next: 'check that it belongs to the right account and zones',
  },
  zones_refused: {
    found: 'The {provider} {label} is genuine, but {provider} refused to list its zones',
    next: 'check its permissions and its IP filter',
  },
  capabilities_unknown: {
    found: 'The {provider} {label} is genuine, but {provider} did not show what it can do',
    next: 'check its permissions there, or try again later',
  },

  not_recognised: {
    found: '{provider} does not recognize this {label} (wrong, rolled, expired or deleted)',
    next: 'copy it again or create a new one',
  },
  wrong_pair: {
    found: 'The {provider} {label} or the email address is wrong',
    next: 'check that both belong to the same user',
  },
  wrong_part: {
    found: '{provider} does not accept the {part} of this {label}',
    next: 'copy it again or create a new one',
  },
  unknown_part: {
    found: '{provider} does not recognize the {part} of this {label} (wrong, expired, deleted or disabled)',
    next: 'copy it again or create a new one',
  },
  other_provider: {
    found: 'This is the {part} of {other}, not a {provider} {label}, so it was not sent',
    next: 'copy the right one, or check it as a key of {other}',
  },
  other_service: {
    found: 'This is the {part} of {other}, not a {provider} {label}, so it was not sent',
    next: 'copy the right one',
  },
  other_part: {
    found: 'This is the {part} of the {provider} {label}, not the {other}, so it was not sent',
    next: 'enter each value in its own field',
  },
  variable_name: {
    found: 'This is the name of a variable, not the {part}, so it was not sent',
    next: 'enter the value of the variable',
  },
  masked: {
    found: 'The {part} is partly hidden by dots or asterisks, so it was not sent',
    next: 'copy the whole value or create a new one',
  },
  no_value: {
    found: 'This is what a program writes for a missing value, not the {part}, so it was not sent',
    next: 'check where it was copied from',
  },
  placeholder: {
    found: 'This is a placeholder, not the {part}, so it was not sent',
    next: 'enter the value itself',
  },
  secret_reference: {
    found: 'This is a reference to a secret store, not the {part}, so it was not sent',
    next: 'enter the value that it refers to',
  },
  web_address: {
    found: 'This is a URL, not the {part}, so it was not sent',
    next: 'enter the value itself',
  },
  email_address: {
    found: 'This is an email address, not the {part}, so it was not sent',
    next: 'enter the value itself',
  },
  domain_name: {
    found: 'This is a domain name, not the {part}, so it was not sent',
    next: 'enter the value itself',
  },
  pem_block: {
    found: 'This is a certificate or a key in PEM form, not the {part}, so it was not sent',
    next: 'copy the {part}',
  },
  encoded_text: {
    found: 'This is a header or a file in base64, not the {part}, so it was not sent',
    next: 'decode it and copy the value alone',
  },
  several_values: {
    found: 'This is JSON, YAML or a list of settings, not the {part} alone, so it was not sent',
    next: 'copy the value alone',
  },
  ended_service: {
    found: 'This is a credential of {other}, a service that has ended, so it was not sent',
    next: 'create one where the zone is now',
  },
  malformed_part: {
    found: 'The {part} of this {provider} {label} is not well-formed, so nothing was sent',
    next: 'copy it again',
  },
  unmatched_parts: {
    found: 'The {part} and the {other} of this {provider} {label} do not belong together, so nothing was sent',
    next: 'copy both again',
  },
  wrong_parts: {
    found: '{provider} does not accept this {label}: a part of it is wrong, or it was deleted',
    next: 'copy all its parts again',
  },
  malformed: {
    found: 'This is not a well-formed {provider} {label}',
    next: 'copy the whole value again, without extra characters',
  },
  malformed_email: {
    found: '{provider} does not accept the format of this email address',
    next: "enter the account's email address",
  },
  malformed_pair: {
    found: 'Neither the email address nor the {provider} {label} is well-formed',
    next: 'copy both again',
  },
  disabled: { found: 'This {provider} {label} is disabled', next: 'enable it or create a new one' },
  expired: { found: 'This {provider} {label} has expired', next: 'extend it or create a new one' },
  expired_on: { found: 'This {provider} {label} expired on {date}', next: 'extend it or create a new one' },
  not_yet_valid: {
    found: 'This {provider} {label} is not valid before {date}',
    next: 'wait, or change its start date',
  },
  not_active: {
    found: 'This {provider} {label} is not active (status: {status})',
    next: 'check it in the dashboard or create a new one',
  },
  suspended: { found: 'The {provider} user of this {label} is suspended', next: 'ask the provider about the account' },
  empty: { found: 'The key is empty', next: 'enter a {provider} {label}' },
  impossible_characters: {
    found: 'The key contains characters that cannot be part of a credential',
    next: 'copy the {provider} {label} again',
  },

  unexpected_answer: {
    found: '{provider} sent a response that says nothing about the {label}',
    next: 'try again later',
  },
  refused: {
    found:
      '{provider} rejected this {label} without a reason: it may be wrong, expired, limited to other uses or addresses, or rejected by mistake',
    next: 'check it there or try again',
  },
  plan_refused: {
    found: '{provider} does not allow this account to use its API, so the {label} could not be checked',
    next: 'see what its plan includes',
  },
  address_refused: {
    found: "{provider} does not accept requests from this server's address, so the {label} was not checked",
    next: "add the address to the account's allowlist",
  },
  clock_refused: {
    found: "{provider} says that this server's clock is wrong, so the {label} was not checked",
    next: 'ask the operator to set the clock',
  },
  unreachable: { found: '{provider} could not be reached, so the {label} was not checked', next: 'try again later' },
  timeout: { found: '{provider} did not answer in time, so the {label} was not checked', next: 'try again later' },
  rate_limited: {
    found: 'The rate limit of {provider} has been reached, so the {label} was not checked',
    next: 'try again later',
  },
  key_rate_limited: {
    found: 'This {label} has reached its rate limit at {provider}, so it was not checked',
    next: 'try again later',
  },
  locked_out: {
    found: '{provider} blocks this server after too many wrong keys, so the {label} was not checked',
    next: 'try again later',
  },
  share_used: {
    found: '{provider} rejected several of your keys recently, so the {label} was not checked',
    next: 'try again later',
  },
  network_share_used: {
    found: '{provider} rejected several keys from your network recently, so the {label} was not checked',
    next: 'try again later',
  },
  too_many_failures: {
    found: '{provider} rejected many keys recently and may block this server, so the {label} was not checked',
    next: 'try again later',
  },
  overloaded: {
    found: 'Too many {provider} checks are running or failing, so the {label} was not checked',
    next: 'try again shortly',
  },
} as const satisfies Record<
  Caveat | InvalidReason | UndeterminedReason | 'valid' | 'not_checked' | 'ability_missing' | 'expired_on',
  { found: string; next: string }
>

/** A hint replaces `next`. */
export const hints = {
  looks_like_global_key: 'it looks like a Global API Key, so use keyType "api_key" with its email',
  looks_like_token: 'it looks like an API token, so use keyType "api_token"',
  looks_like_id: 'it looks like the ID of a zone or an account, which is not a credential',
  looks_like_origin_ca_key: 'it looks like an Origin CA key, a kind that ended on 2026-09-30, so create an API token',
  looks_like_oauth_token: 'it looks like an OAuth login token, so create an API token',
  looks_like_secret_id: 'it looks like the ID of a secret, so copy the secret value',
  looks_like_dns_console_token:
    'it looks like one of the former DNS console, which ended in May 2026, so create one in the Hetzner Console',
  looks_mistyped: 'it looks truncated or mistyped, so copy it again',
  looks_base64: 'it looks like a key in base64, so decode it first',
  looks_quoted: 'it contains quotes, so enter the value itself',
} as const satisfies Record<Hint, string>

/** What was removed before the check, such as "(its first word and its quotes left out)" at the end. */
export const notes = {
  scheme: 'its first word',
  quotes: 'its quotes',
  name: 'the name before it',
  json: 'the JSON around it',
  escape: 'the line break after it',
} as const

/** Replaces `next` for a rejected credential with a part that does not have its usual form. */
export const unusualPartAdvice = 'the {unusualPart} does not look like one, so check that it is the right value'

/** Replaces `next` if the provider rejects new credentials for some seconds. */
export const newKeyAdvice = 'copy it again, or if you created it in the last minute, try again then'

/** Replaces `next` if a valid credential is about to expire. */
export const expiresSoon = 'it expires on {date}, so renew it'

/** Replace `next` for a valid credential if the request names a purpose, and the sentence about it is too long. */
export const purposeAdvice = {
  no: 'it does not fit its purpose',
  unknown: 'it is unknown whether it fits its purpose',
} as const

/** The sentences of `details.advice`. */
export const advices = {
  root: 'It belongs to the root user of the account and can do everything there. A key of a user with few permissions is safer.',
  everything: 'It can do everything that its user can do. A key for DNS alone is safer.',
  all_accounts: 'It reaches every account of its user. A token of one account with few permissions is safer.',
  manages_users:
    'It can manage users, and so get every permission. A key of a user who has only the permission for DNS is safer.',
  no_expiry: 'It never expires. A key with an expiry date is safer.',
} as const satisfies Record<Excess, string>

/** Replaces `next` for a key that is more powerful than needed, unless the key does not fit its purpose. */
export const saferKeyAdvice = 'a key with fewer permissions would be safer'

/** Replace `next` if the address of this server is known. */
export const addressAdvice = {
  ip_filtered: 'it works here if it allows {addresses}',
  address_refused: "add {addresses} to the account's allowlist",
} as const

/** Replaces `next` if the provider has no name for the missing permission. */
export const permissionAdvice = 'check its permissions'

export const warnings = {
  expires_soon: 'It expires on {date}.',
  ip_filtered: 'Its IP filter does not allow requests from this service.',
  limited_permissions: 'Its permissions are limited.',
  state_not_shown: 'The provider does not report its status.',
  account_restricted: 'The account is locked or has a warning.',
  account_not_entitled: 'The account may not use this API.',
  ability_missing: 'It cannot {task}.',
  service_not_enabled: 'Its account has not enabled {missing}.',
  no_zones: 'It cannot see any zones.',
  zones_refused: 'The provider refused to list its zones.',
  capabilities_unknown: 'The provider did not show what it can do.',
} as const satisfies Record<Caveat | 'ability_missing' | 'expires_soon', string>

/** Every ability as a verb with its object. */
export const tasks: Readonly<Record<Ability, string>> = {
  'zones:list': 'list zones',
  'dns:read': 'read DNS records',
  'dns:edit': 'change DNS records',
  'cdn:read': 'read the CDN configuration',
  'cdn:edit': 'change the CDN configuration',
  'cdn:purge': 'purge objects from the CDN',
  'cdn:purge_all': 'purge the whole CDN',
}

export type Note = keyof typeof notes
