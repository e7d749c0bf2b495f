import type { Caveat, Facts, Hint, InvalidReason, Outcome, UndeterminedReason } from './provider.ts'

/**
 * The catalogue: every sentence a check can answer with. `found` says what was found, `next` what to do about it.
 * `{provider}` and `{label}` come from the provider file, `{date}` and `{status}` from its answer, sanitised.
 * No sentence holds a part of the credential or of the provider's own text; each is at most 200 characters.
 */
export const catalogue = {
  valid: { found: 'The {provider} {label} is valid and active', next: 'it can be used' },
  limited_permissions: {
    found: '{provider} recognises this {label}, but its permissions are limited',
    next: 'check that they cover what it is for',
  },
  ip_filtered: {
    found: 'The {provider} {label} is valid, but its IP filter does not allow requests from this service',
    next: 'check that it allows the place of use',
  },
  state_not_shown: {
    found: '{provider} recognises this {label}, but does not show its state to it',
    next: 'check in its dashboard that it is active',
  },
  account_restricted: {
    found: '{provider} recognises this {label}, but the account is locked or has a warning',
    next: 'look into the account',
  },
  account_not_entitled: {
    found: '{provider} recognises this {label}, but does not allow the account to use this API',
    next: 'see what its plan includes',
  },
  no_zones: {
    found: 'The {provider} {label} is valid and active, but no zone is visible to it',
    next: 'check that it is for the right account and zones',
  },
  zones_refused: {
    found: 'The {provider} {label} is valid and active, but {provider} does not list zones to it',
    next: 'check its permissions and its IP filter',
  },
  capabilities_unknown: {
    found: 'The {provider} {label} is valid and active, but what it may do could not be read',
    next: 'ask again for that',
  },

  not_recognised: {
    found: '{provider} does not recognise this {label} (wrong, rolled, expired or deleted)',
    next: 'copy it again or make a new one',
  },
  wrong_pair: {
    found: 'The {provider} {label} or the e-mail address is not correct',
    next: 'check that both belong to the same user',
  },
  wrong_part: {
    found: '{provider} does not accept the {part} of this {label}',
    next: 'copy it again or make a new one',
  },
  unknown_part: {
    found: '{provider} does not recognise the {part} of this {label} (wrong, deleted or disabled)',
    next: 'copy it again or make a new one',
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
    found: 'This is the {part} of the {provider} {label} in the place of the {other}, so it was not sent',
    next: 'put each part in its own place',
  },
  wrong_parts: {
    found: '{provider} does not accept this {label}: a part of it is wrong, or it was deleted',
    next: 'copy all its parts again',
  },
  malformed: {
    found: 'This is not a well-formed {provider} {label}',
    next: 'copy it again, whole and without extra characters',
  },
  malformed_email: {
    found: '{provider} does not accept the form of this e-mail address',
    next: 'enter the address of the account',
  },
  malformed_pair: {
    found: 'Neither the e-mail address nor the {provider} {label} is well-formed',
    next: 'copy both again',
  },
  disabled: { found: 'This {provider} {label} is disabled', next: 'enable it or make a new one' },
  expired: { found: 'This {provider} {label} is expired', next: 'extend it or make a new one' },
  expired_on: { found: 'This {provider} {label} expired on {date}', next: 'extend it or make a new one' },
  not_yet_valid: { found: 'This {provider} {label} is not valid before {date}', next: 'wait or change its start' },
  not_active: {
    found: 'This {provider} {label} is not active (status: {status})',
    next: 'look at it in the dashboard or make a new one',
  },
  suspended: { found: 'The {provider} user of this {label} is suspended', next: 'ask the provider about the account' },
  empty: { found: 'The key is empty', next: 'enter a {provider} {label}' },
  impossible_characters: {
    found: 'The key contains characters that cannot be part of a credential',
    next: 'copy the {provider} {label} again',
  },

  unexpected_answer: {
    found: '{provider} gave an answer that proves nothing about the {label}',
    next: 'try again later',
  },
  refused: {
    found:
      '{provider} refused this {label} without a reason: it is wrong, expired, limited to other uses or addresses, or refused by mistake',
    next: 'look at it there or try again',
  },
  address_refused: {
    found: '{provider} refuses the address of this service, so the {label} was not checked',
    next: 'add the address to the list of the account',
  },
  clock_refused: {
    found: '{provider} refuses the time of this service, so the {label} was not checked',
    next: 'ask its operator to set the clock',
  },
  unreachable: { found: '{provider} could not be reached, so the {label} was not checked', next: 'try again later' },
  timeout: { found: '{provider} did not answer in time, so the {label} was not checked', next: 'try again later' },
  rate_limited: {
    found: 'The rate limit of {provider} is reached, so the {label} was not checked',
    next: 'try again later',
  },
  key_rate_limited: {
    found: 'This {label} has reached its rate limit at {provider}, so it was not checked',
    next: 'try again later',
  },
  locked_out: {
    found: '{provider} refuses this service after too many wrong keys, so the {label} was not checked',
    next: 'try again later',
  },
  share_used: {
    found: '{provider} refused several of your keys lately, so the {label} was not checked',
    next: 'try again later',
  },
  network_share_used: {
    found: '{provider} refused several keys from your network lately, so the {label} was not checked',
    next: 'try again later',
  },
  too_many_failures: {
    found: '{provider} refused many keys lately and may lock this service out, so the {label} was not checked',
    next: 'try again later',
  },
  overloaded: {
    found: 'Too many checks of {provider} keys are under way or failing, so the {label} was not checked',
    next: 'try again shortly',
  },
} as const satisfies Record<
  Caveat | InvalidReason | UndeterminedReason | 'valid' | 'expired_on',
  { found: string; next: string }
>

/** A hint takes the place of `next`. */
export const hints = {
  looks_like_global_key: 'it looks like a Global API Key, so use keyType "api_key" with its e-mail',
  looks_like_token: 'it looks like an API token, so use keyType "api_token"',
  looks_like_id: 'it looks like the ID of a zone or an account, which is no credential',
  looks_like_origin_ca_key: 'it looks like an Origin CA key, which cannot be used here',
  looks_like_oauth_token: 'it looks like an OAuth token of a log-in, so make an API token',
  looks_like_secret_id: 'it looks like the ID of a secret, so copy the value beside it',
  looks_mistyped: 'it looks truncated or mistyped, so copy it again',
  looks_base64: 'it looks like a key in base64, so decode it first',
  looks_quoted: 'it holds quotes or a placeholder, so enter the value itself',
} as const satisfies Record<Hint, string>

/** What was removed before the check: "(its first word and its quotes left out)" at the end. */
export const notes = {
  scheme: 'its first word',
  quotes: 'its quotes',
  name: 'the name before it',
  json: 'the JSON around it',
  escape: 'the line break after it',
} as const

/** Takes the place of `next` when a valid credential is about to expire. */
export const expiresSoon = 'it expires on {date}, so renew it'

/** Take the place of `next` for a valid credential, where the request says what it is for. */
export const misfits = {
  no: 'it does not fit its purpose',
  unknown: 'whether it fits its purpose is not known',
} as const

/** Takes the place of `next` for a type of key that its provider's file advises against. */
export const advised = 'a key that may do less would be safer'

export const warnings = {
  expires_soon: 'It expires on {date}.',
  ip_filtered: 'Its IP filter does not allow requests from this service.',
  limited_permissions: 'Its permissions are limited.',
  state_not_shown: 'The provider does not show its state.',
  account_restricted: 'The account is locked or has a warning.',
  account_not_entitled: 'The account may not use this API.',
  no_zones: 'No zone is visible to it.',
  zones_refused: 'Zones are not listed to it.',
  capabilities_unknown: 'What it may do could not be read.',
} as const satisfies Record<Caveat | 'expires_soon', string>

export type Note = keyof typeof notes
export type MessageCode = keyof typeof catalogue

/** The code of an outcome: the value of `details.code`, and the key of its sentence. */
export function messageCodeOf(outcome: Outcome): MessageCode {
  if (outcome.kind === 'valid') return outcome.caveat ?? 'valid'
  if (outcome.kind === 'invalid' && outcome.reason === 'expired' && outcome.expiresOn) return 'expired_on'
  return outcome.reason
}

export interface Wording {
  readonly provider: string
  readonly label: string
  readonly notes?: readonly Note[]
  /** The credential is valid and ends within days. */
  readonly isEnding?: boolean
  /** A warning about every valid key of this type. */
  readonly advice?: string | undefined
  /** Where the request says what the credential is for. */
  readonly fitsPurpose?: keyof typeof misfits | 'yes' | undefined
}

/** What is said of an outcome. With a warning, the message never says that the credential can be used. */
export interface Wordings {
  /** One sentence for a person. */
  readonly message: string
  /** The sentences of `details.warnings`. */
  readonly warnings: readonly string[]
}

/** The message follows from the outcome and its warnings, so that the two cannot contradict each other. */
export function wordingsFor(outcome: Outcome, wording: Wording): Wordings {
  const warningsFound = warningsFor(outcome, wording)
  return { message: messageFor(outcome, wording, warningsFound), warnings: warningsFound }
}

function messageFor(outcome: Outcome, wording: Wording, warningsFound: readonly string[]): string {
  const facts: Facts = outcome.kind === 'undetermined' ? {} : outcome
  const code = messageCodeOf(outcome)
  const { found } = catalogue[code]
  const isWarned = code === 'valid' && warningsFound.length > 0
  const next = isWarned ? nextWith(wording) : nextFor(code, wording)
  const advice = (facts.hint && hints[facts.hint]) ?? (wording.isEnding ? expiresSoon : next)
  const left = wording.notes?.map((note) => notes[note]).join(' and ')
  const values = { ...wording, label: facts.label ?? wording.label, ...shown(outcome, facts) }
  // The longest that fits. What was removed is the first to go, then the hint.
  const whole = fill(`${found}; ${advice}${left ? ` (${left} left out)` : ''}.`, values)
  if (whole.length <= messageCharactersMax) return whole
  const shorter = fill(`${found}; ${advice}.`, values)
  return shorter.length <= messageCharactersMax ? shorter : fill(`${found}; ${next}.`, values)
}

/** A valid credential can be used, unless it does not fit what it is for, or nothing shows that it does. */
function nextFor(code: MessageCode, { fitsPurpose = 'yes' }: Wording): string {
  return code === 'valid' && fitsPurpose !== 'yes' ? misfits[fitsPurpose] : catalogue[code].next
}

/** For a credential that has no restriction but a warning: of its end first, because that passes. */
function nextWith({ isEnding }: Wording): string {
  return isEnding ? expiresSoon : advised
}

export const messageCharactersMax = 200

function warningsFor(outcome: Outcome, { isEnding = false, advice }: Wording): string[] {
  if (outcome.kind !== 'valid') return []
  const found = [
    ...(outcome.caveat ? [warnings[outcome.caveat]] : []),
    ...(isEnding ? [warnings.expires_soon] : []),
    ...(advice ? [advice] : []),
  ]
  return found.map((sentence) => fill(sentence, shown(outcome, outcome)))
}

function shown(outcome: Outcome, facts: Facts): Record<string, string> {
  const isStart = outcome.kind === 'invalid' && outcome.reason === 'not_yet_valid'
  return {
    date: dayOf(isStart ? facts.notBefore : facts.expiresOn),
    status: statusWord(facts.status),
    part: facts.part ?? 'secret',
    other: facts.other ?? 'another part',
  }
}

/** The sentence with a value in the place of each name in braces. What is filled in is not filled in again. */
export function fill(sentence: string, values: Readonly<Record<string, unknown>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}

/** The day in UTC; the provider's own text is never shown, not even when it looks like a date. */
function dayOf(instant: string | undefined): string {
  const ms = Date.parse(instant ?? '')
  return Number.isNaN(ms) ? 'an unknown day' : new Date(ms).toISOString().slice(0, 10)
}

/** A state is one short lower-case word. Anything else could carry what it should not. */
function statusWord(status: string | undefined): string {
  return status !== undefined && /^[a-z][a-z_-]{1,15}$/.test(status) ? status : 'unknown'
}
