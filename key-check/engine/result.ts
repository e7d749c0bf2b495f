import type { Details, Result, UndeterminedCode } from '../api.ts'
import type { Ability, PermissionNames } from './answers.ts'
import { type Credential, unusualPartOf } from './credential.ts'
import type { Limits } from './limits.ts'
import {
  addressAdvice,
  advices,
  catalogue,
  expiresSoon,
  hints,
  type Note,
  newKeyAdvice,
  notes,
  permissionAdvice,
  purposeAdvice,
  saferKeyAdvice,
  tasks,
  unusualPartAdvice,
  warnings,
} from './messages.ts'
import type { Facts, Outcome, Provider, Valid } from './provider.ts'
import type { InvalidReason, UndeterminedReason } from './provider-facts.ts'

/** An outcome as a caller's own checks show it. */
export interface Checked {
  readonly outcome: Outcome
  readonly checkedAtMs: number
  /** An earlier check of this caller found it. */
  readonly isCached: boolean
  /** This check, and no earlier one, sent the write of `proof`. */
  readonly isProofSent?: true
}

/** Whether the key fits its purpose, if the request names one. */
type Fit = Pick<Details, 'fitsPurpose' | 'purpose'>

interface ResultOptions {
  readonly limits: Limits
  readonly fit: Fit | undefined
  /** The addresses that this server calls from, as configured. */
  readonly outgoingAddresses: readonly string[]
}

/** The outcome as a `Result` with its texts. */
export function resultOf(
  { outcome, checkedAtMs, isCached, isProofSent }: Checked,
  { provider, keyType, notes, parts }: Credential,
  { limits, fit, outgoingAddresses }: ResultOptions,
): Result {
  const { label = 'key', advice, parts: declared = {} } = provider.keyTypes[keyType] ?? {}
  const { title, permissions } = provider
  const unusualPart = outcome.kind === 'invalid' ? unusualPartOf(declared, parts) : undefined
  const isExpiringSoon = expiresBefore(outcome, checkedAtMs + limits.endingMs)
  const ofKey = { label, notes, unusualPart, isExpiringSoon, advice, fit }
  const texts = textsFor(outcome, { provider: title, permissions, outgoingAddresses, ...ofKey })
  const { message, warnings } = texts
  if (outcome.kind === 'undetermined') {
    const { reason, retryAfterSeconds } = outcome
    const wait = retryAfterSeconds !== undefined && { retryAfterSeconds }
    return { outcome: 'undetermined', code: codeOf[reason], message, ...wait }
  }
  const page = provider.smallerKeyPage ?? provider.keyPage
  return {
    outcome: outcome.kind,
    message,
    ...(isProofSent && { isProofSent }),
    details: {
      provider: provider.id,
      code: messageCodeOf(outcome),
      credential: outcome.credential ?? keyType,
      ...instant('notBefore', outcome.notBefore),
      ...instant('expiresOn', outcome.expiresOn),
      warnings,
      ...(texts.advice !== undefined && { advice: { text: texts.advice, page } }),
      ...(outcome.kind === 'valid' && capabilitiesOf(outcome, provider)),
      ...fit,
      checkedAt: new Date(checkedAtMs).toISOString(),
      cached: isCached,
    },
  }
}

function expiresBefore(outcome: Outcome, untilMs: number): boolean {
  return outcome.kind === 'valid' && outcome.expiresOn !== undefined && Date.parse(outcome.expiresOn) <= untilMs
}

const codeOf: Readonly<Record<UndeterminedReason, UndeterminedCode>> = {
  unexpected_answer: 'provider_answer_unexpected',
  refused: 'provider_refused',
  plan_refused: 'provider_refused',
  address_refused: 'provider_address_refused',
  clock_refused: 'provider_clock_refused',
  unreachable: 'provider_unreachable',
  timeout: 'provider_timeout',
  rate_limited: 'provider_busy',
  key_rate_limited: 'provider_busy',
  locked_out: 'provider_busy',
  share_used: 'key_checks_held',
  network_share_used: 'key_checks_held',
  too_many_failures: 'provider_busy',
  overloaded: 'provider_busy',
}

/** The value of `details.code`. */
function messageCodeOf(outcome: Outcome): string {
  const sentence = sentenceOf(outcome)
  return sentence === 'not_checked' ? 'valid' : sentence
}

/** Formatted again, so that the provider's own text is never passed on. */
function instant(name: 'notBefore' | 'expiresOn', value: string | undefined): Record<string, string> {
  const ms = Date.parse(value ?? '')
  return Number.isNaN(ms) ? {} : { [name]: new Date(ms).toISOString() }
}

/** With the provider's names of what the key lacks, or the reason why nothing is known. */
function capabilitiesOf({ capabilities = {} }: Valid, { abilities, permissions = {} }: Provider) {
  const isUnknown = Object.keys(capabilities).length === 0
  if (isUnknown && typeof abilities === 'object' && 'unknown' in abilities)
    return { capabilities: { unknown: abilities.unknown } }
  if (isUnknown) return {}
  const named = (capabilities.lacks ?? []).flatMap((ability) => permissions[ability] ?? [])
  const missing = [...new Set([...(capabilities.missing ?? []), ...named])]
  return { capabilities: { ...capabilities, ...(missing.length > 0 && { missing }) } }
}

export interface Wording {
  readonly provider: string
  readonly label: string
  readonly notes?: readonly Note[]
  /** The label of a part that does not have its usual form. */
  readonly unusualPart?: string | undefined
  /** The credential is valid and expires within days. */
  readonly isExpiringSoon?: boolean
  /** Why every valid key of this type is more powerful than needed. */
  readonly advice?: string | undefined
  readonly fit?: Fit | undefined
  readonly permissions?: PermissionNames | undefined
  readonly outgoingAddresses?: readonly string[]
}

interface Texts {
  /** One sentence for users. With a warning, it never says that the credential can be used. */
  readonly message: string
  /** The sentences of `details.warnings`. */
  readonly warnings: readonly string[]
  /** The text of `details.advice`. */
  readonly advice: string | undefined
}

/** Derives the message from the outcome and its warnings, so that they cannot contradict each other. */
export function textsFor(outcome: Outcome, wording: Wording): Texts {
  const { advice, isExpiringSoon } = wording
  const sentence = sentenceOf(outcome)
  const values = valuesFor(outcome, wording)
  const message = messageFor(outcome, sentence, { ...wording, ...values })
  if (outcome.kind !== 'valid') return { message, warnings: [], advice: undefined }
  const found = [
    ...(isWarning(sentence) ? [warnings[sentence]] : []),
    ...(isExpiringSoon ? [warnings.expires_soon] : []),
  ]
  return {
    message,
    warnings: found.map((warning) => fill(warning, values)),
    advice: advice ?? (outcome.excess && advices[outcome.excess]),
  }
}

type Sentence = keyof typeof catalogue

/** The key of the sentence. A key can be used only if a read has shown that it can do something. */
function sentenceOf(outcome: Outcome): Sentence {
  if (outcome.kind === 'invalid' && outcome.reason === 'expired' && outcome.expiresOn) return 'expired_on'
  if (outcome.kind !== 'valid') return outcome.reason
  const { caveat, capabilities: { lacks } = {} } = outcome
  const isLimited = caveat === undefined || caveat === 'limited_permissions'
  if (isLimited && lacks && !canUse(outcome)) return 'ability_missing'
  return caveat ?? (canUse(outcome) ? 'valid' : 'not_checked')
}

/** A list of zones is no use to a key that lacks everything else. */
function canUse({ hasZone, capabilities: { abilities = [], lacks = [] } = {} }: Valid): boolean {
  if (lacks.some(isUse)) return abilities.some(isUse)
  return hasZone === true || abilities.length > 0
}

const isUse = (ability: Ability): boolean => ability !== 'zones:list'

function isWarning(sentence: Sentence): sentence is Sentence & keyof typeof warnings {
  return Object.hasOwn(warnings, sentence)
}

type Values = ReturnType<typeof valuesFor>

/** What was found, and the first next step that fits the length: without the notes, without the reason, or without the hint. */
function messageFor(outcome: Outcome, sentence: Sentence, words: Wording & Values): string {
  const { found, next } = catalogue[sentence]
  const { or = undefined } = outcome.kind === 'undetermined' ? {} : outcome
  const start = fill(or === undefined ? found : `${found}, or ${or}`, words)
  const left = words.notes?.map((note) => notes[note]).join(' and ')
  const noted = left ? ` (${left} left out)` : ''
  const steps = [...nextSteps(outcome, sentence, words), { text: next }]
  const ends = steps
    .slice(0, 1)
    .flatMap(({ text, reason }) => [...(reason === undefined ? [] : [reason]), fill(text, words)])
  const versions = ends.flatMap((end) => [`${start}; ${end}${noted}.`, `${start}; ${end}.`])
  const short = steps.find(({ isHint }) => !isHint)?.text ?? next
  return versions.find(({ length }) => length <= messageCharactersMax) ?? `${start}; ${fill(short, words)}.`
}

const messageCharactersMax = 200

interface NextStep {
  readonly text: string
  /** The sentence about the purpose, in place of the text where there is room. */
  readonly reason?: string
  /** Left out if the message would be too long. */
  readonly isHint?: true
}

/** What to do, besides the usual step of the sentence. The message says the first one: what makes the key useless, then what is urgent. */
function nextSteps(outcome: Outcome, sentence: Sentence, words: Wording & Values): readonly NextStep[] {
  const { unusualPart, isExpiringSoon, permission, addresses } = words
  const { fitsPurpose = 'yes', purpose = '' } = words.fit ?? {}
  const isUnrestricted = sentence === 'valid' || sentence === 'not_checked'
  const { hint = undefined } = outcome.kind === 'undetermined' ? {} : outcome
  const reason = purpose.charAt(0).toLowerCase() + purpose.slice(1, -1)
  const isAddressRefused = sentence === 'ip_filtered' || sentence === 'address_refused'
  const steps: readonly (NextStep | false | undefined)[] = [
    isUnrestricted && isExpiringSoon && fitsPurpose !== 'no' && { text: expiresSoon },
    isUnrestricted && fitsPurpose !== 'yes' && { text: purposeAdvice[fitsPurpose], reason },
    isUnrestricted && isTooPowerful(outcome, words) && { text: saferKeyAdvice },
    hint && { text: hints[hint], isHint: true },
    isDoubted(outcome) && unusualPart !== undefined && { text: unusualPartAdvice, isHint: true },
    isAddressRefused && addresses !== '' && { text: addressAdvice[sentence], isHint: true },
    isExpiringSoon && { text: expiresSoon, isHint: true },
    outcome.kind === 'invalid' && outcome.mayBeNew && { text: newKeyAdvice },
    sentence === 'ability_missing' && permission === undefined && { text: permissionAdvice },
  ]
  return steps.filter((step) => typeof step === 'object')
}

/** A missing expiry is no reason to call another key safer in the message: most keys have none. */
function isTooPowerful(outcome: Outcome, { advice }: Wording): boolean {
  const { excess = 'no_expiry' } = outcome.kind === 'valid' ? outcome : {}
  return advice !== undefined || excess !== 'no_expiry'
}

/** The provider rejected it for a reason that a wrong value explains. */
function isDoubted(outcome: Outcome): boolean {
  return outcome.kind === 'invalid' && doubted.has(outcome.reason)
}

const doubted: ReadonlySet<InvalidReason> = new Set(['not_recognised', 'wrong_part', 'unknown_part', 'wrong_parts'])

function valuesFor(outcome: Outcome, { label, permissions = {}, outgoingAddresses = [] }: Wording) {
  const facts: Facts = outcome.kind === 'undetermined' ? {} : outcome
  const isStart = outcome.kind === 'invalid' && outcome.reason === 'not_yet_valid'
  const { lacks: [lacking] = [], missing: [missing = 'the service'] = [] } =
    (outcome.kind === 'valid' && outcome.capabilities) || {}
  return {
    label: facts.label ?? label,
    date: dayOf(isStart ? facts.notBefore : facts.expiresOn),
    status: statusWord(facts.status),
    part: facts.part ?? 'secret',
    other: facts.other ?? 'another part',
    task: lacking && tasks[lacking],
    permission: lacking && permissions[lacking],
    missing,
    addresses: (outgoingAddresses.length > 0 ? outgoingAddresses : refusedBy(outcome)).join(' or '),
  }
}

/** The address that the provider refused, if it named one. */
function refusedBy(outcome: Outcome): readonly string[] {
  const { refusedAddress } = outcome.kind === 'invalid' ? {} : outcome
  return refusedAddress === undefined ? [] : [refusedAddress]
}

/** Replaces each name in braces by its value. Values are not expanded again. */
export function fill(sentence: string, values: object): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(values, name)))
}

/** The day in UTC. Never shows the provider's own text, even if it looks like a date. */
function dayOf(instant: string | undefined): string {
  const ms = Date.parse(instant ?? '')
  return Number.isNaN(ms) ? 'an unknown day' : new Date(ms).toISOString().slice(0, 10)
}

/** A status is one short lower-case word. Other text could leak data. */
function statusWord(status: string | undefined): string {
  return status !== undefined && /^[a-z][a-z_-]{1,15}$/.test(status) ? status : 'unknown'
}
