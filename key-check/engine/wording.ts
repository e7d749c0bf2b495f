import type { Details } from '../api.ts'
import type { Ability, PermissionNames } from './capabilities.ts'
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
import type { Facts, Outcome, Valid } from './provider.ts'
import type { InvalidReason } from './provider-facts.ts'

type Sentence = keyof typeof catalogue

/** The value of `details.code`. */
export function messageCodeOf(outcome: Outcome): Exclude<Sentence, 'not_checked'> {
  const sentence = sentenceOf(outcome)
  return sentence === 'not_checked' ? 'valid' : sentence
}

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
  /** Set if the request names a purpose. */
  readonly fit?: Pick<Details, 'fitsPurpose' | 'purpose'> | undefined
  readonly permissions?: PermissionNames | undefined
  /** The addresses that this server calls from, as configured. */
  readonly outgoingAddresses?: readonly string[]
}

/** The texts of an outcome. With a warning, the message never says that the credential can be used. */
interface Wordings {
  /** One sentence for users. */
  readonly message: string
  /** The sentences of `details.warnings`. */
  readonly warnings: readonly string[]
  /** The text of `details.advice`. */
  readonly advice?: string
}

/** Derives the message from the outcome and its warnings, so that they cannot contradict each other. */
export function wordingsFor(outcome: Outcome, wording: Wording): Wordings {
  const advice = adviceFor(outcome, wording)
  return {
    message: messageFor(outcome, wording),
    warnings: warningsFor(outcome, wording),
    ...(advice !== undefined && { advice }),
  }
}

function adviceFor(outcome: Outcome, { advice }: Wording): string | undefined {
  if (outcome.kind !== 'valid') return undefined
  return advice ?? (outcome.excess && advices[outcome.excess])
}

/** A missing expiry is no reason to call another key safer in the message: most keys have none. */
function isTooPowerful(outcome: Outcome, { advice }: Wording): boolean {
  const { excess = 'no_expiry' } = outcome.kind === 'valid' ? outcome : {}
  return advice !== undefined || excess !== 'no_expiry'
}

function messageFor(outcome: Outcome, wording: Wording): string {
  const facts: Facts = outcome.kind === 'undetermined' ? {} : outcome
  const sentence = sentenceOf(outcome)
  const { found, next: usual } = catalogue[sentence]
  const values = { ...wording, label: facts.label ?? wording.label, ...valuesFor(outcome, wording) }
  const plain = isPlain(sentence) ? plainAdvice(wording, isTooPowerful(outcome, wording)) : {}
  const isUnnamed = sentence === 'ability_missing' && values.permission === undefined
  const mayBeNew = outcome.kind === 'invalid' && outcome.mayBeNew
  const next = plain.advice ?? (mayBeNew ? newKeyAdvice : isUnnamed ? permissionAdvice : usual)
  const hint = hintFor(outcome, wording) ?? (values.addresses === '' ? undefined : addressHint(sentence))
  const advice = plain.advice ?? hint ?? (wording.isExpiringSoon ? expiresSoon : next)
  const left = wording.notes?.map((note) => notes[note]).join(' and ')
  const noted = left ? ` (${left} left out)` : ''
  const start = fill(facts.or === undefined ? found : `${found}, or ${facts.or}`, values)
  // The first version that fits: without the notes, without the reason, or without the hint.
  const versions = [
    ...(plain.why === undefined ? [] : [`${start}; ${plain.why}${noted}.`, `${start}; ${plain.why}.`]),
    `${start}; ${fill(advice, values)}${noted}.`,
    `${start}; ${fill(advice, values)}.`,
  ]
  return versions.find(({ length }) => length <= messageCharactersMax) ?? `${start}; ${fill(next, values)}.`
}

const messageCharactersMax = 200

function hintFor(outcome: Outcome, { unusualPart }: Wording): string | undefined {
  if (outcome.kind === 'undetermined') return undefined
  if (outcome.hint) return hints[outcome.hint]
  const isDoubted = outcome.kind === 'invalid' && doubted.has(outcome.reason)
  return isDoubted && unusualPart !== undefined ? unusualPartAdvice : undefined
}

/** Reasons that a wrong value explains. */
const doubted: ReadonlySet<InvalidReason> = new Set(['not_recognised', 'wrong_part', 'unknown_part', 'wrong_parts'])

/** A valid credential without a restriction. */
function isPlain(sentence: Sentence): boolean {
  return sentence === 'valid' || sentence === 'not_checked'
}

function addressHint(sentence: Sentence): string | undefined {
  return sentence === 'ip_filtered' || sentence === 'address_refused' ? addressAdvice[sentence] : undefined
}

interface PlainAdvice {
  readonly advice?: string
  /** The sentence about the purpose, in place of the advice where there is room. */
  readonly why?: string
}

/** The advice for a valid credential without a restriction: first what makes it useless, then what is urgent. */
function plainAdvice({ fit, isExpiringSoon }: Wording, canBeSafer: boolean): PlainAdvice {
  const { fitsPurpose = 'yes', purpose = '' } = fit ?? {}
  if (isExpiringSoon && fitsPurpose !== 'no') return { advice: expiresSoon }
  if (fitsPurpose !== 'yes')
    return { advice: purposeAdvice[fitsPurpose], why: purpose.charAt(0).toLowerCase() + purpose.slice(1, -1) }
  return canBeSafer ? { advice: saferKeyAdvice } : {}
}

function warningsFor(outcome: Outcome, wording: Wording): string[] {
  if (outcome.kind !== 'valid') return []
  const { isExpiringSoon = false } = wording
  const sentence = sentenceOf(outcome)
  const found = [
    ...(isWarning(sentence) ? [warnings[sentence]] : []),
    ...(isExpiringSoon ? [warnings.expires_soon] : []),
  ]
  return found.map((warning) => fill(warning, valuesFor(outcome, wording)))
}

function isWarning(sentence: Sentence): sentence is Sentence & keyof typeof warnings {
  return Object.hasOwn(warnings, sentence)
}

function valuesFor(outcome: Outcome, { permissions = {}, outgoingAddresses = [] }: Wording) {
  const facts: Facts = outcome.kind === 'undetermined' ? {} : outcome
  const isStart = outcome.kind === 'invalid' && outcome.reason === 'not_yet_valid'
  const { lacks: [lacking] = [], missing: [missing = 'the service'] = [] } =
    (outcome.kind === 'valid' && outcome.capabilities) || {}
  return {
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
export function fill(sentence: string, values: Readonly<Record<string, unknown>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
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
