import type { PermissionNames } from './capabilities.ts'
import {
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
  warnings,
} from './messages.ts'
import type { Facts, Outcome } from './provider.ts'

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
  const { caveat, hasZone, capabilities: { abilities, lacks } = {} } = outcome
  const canUse = hasZone === true || abilities !== undefined
  const isLimited = caveat === undefined || caveat === 'limited_permissions'
  if (isLimited && lacks && !canUse) return 'ability_missing'
  return caveat ?? (canUse ? 'valid' : 'not_checked')
}

export interface Wording {
  readonly provider: string
  readonly label: string
  readonly notes?: readonly Note[]
  /** The credential is valid and expires within days. */
  readonly isExpiringSoon?: boolean
  /** A warning about every valid key of this type. */
  readonly advice?: string | undefined
  /** Set if the request names a purpose. */
  readonly fitsPurpose?: keyof typeof purposeAdvice | 'yes' | undefined
  readonly permissions?: PermissionNames | undefined
}

/** The texts of an outcome. With a warning, the message never says that the credential can be used. */
interface Wordings {
  /** One sentence for users. */
  readonly message: string
  /** The sentences of `details.warnings`. */
  readonly warnings: readonly string[]
}

/** Derives the message from the outcome and its warnings, so that they cannot contradict each other. */
export function wordingsFor(outcome: Outcome, wording: Wording): Wordings {
  const warningsFound = warningsFor(outcome, wording)
  return { message: messageFor(outcome, wording, warningsFound), warnings: warningsFound }
}

function messageFor(outcome: Outcome, wording: Wording, warningsFound: readonly string[]): string {
  const facts: Facts = outcome.kind === 'undetermined' ? {} : outcome
  const sentence = sentenceOf(outcome)
  const { found } = catalogue[sentence]
  const values = { ...wording, label: facts.label ?? wording.label, ...valuesFor(outcome, wording) }
  const isWarned = isPlain(sentence) && warningsFound.length > 0
  const mayBeNew = outcome.kind === 'invalid' && outcome.mayBeNew
  const nextOfPlain = mayBeNew ? newKeyAdvice : nextFor(sentence, wording, values.permission)
  const next = isWarned ? nextWith(wording) : nextOfPlain
  const advice = (facts.hint && hints[facts.hint]) ?? (wording.isExpiringSoon ? expiresSoon : next)
  const left = wording.notes?.map((note) => notes[note]).join(' and ')
  // The longest version that fits. Drops the notes first, then the hint.
  const whole = fill(`${found}; ${advice}${left ? ` (${left} left out)` : ''}.`, values)
  if (whole.length <= messageCharactersMax) return whole
  const shorter = fill(`${found}; ${advice}.`, values)
  return shorter.length <= messageCharactersMax ? shorter : fill(`${found}; ${next}.`, values)
}

const messageCharactersMax = 200

/** A valid credential without a restriction. */
function isPlain(sentence: Sentence): boolean {
  return sentence === 'valid' || sentence === 'not_checked'
}

/** A valid credential can be used unless it does not fit its purpose, or that is unknown. */
function nextFor(sentence: Sentence, { fitsPurpose = 'yes' }: Wording, permission: string | undefined): string {
  if (isPlain(sentence) && fitsPurpose !== 'yes') return purposeAdvice[fitsPurpose]
  return sentence === 'ability_missing' && permission === undefined ? permissionAdvice : catalogue[sentence].next
}

/** The advice for a credential with a warning but no restriction. Expiry comes first because it is urgent. */
function nextWith({ isExpiringSoon }: Wording): string {
  return isExpiringSoon ? expiresSoon : saferKeyAdvice
}

function warningsFor(outcome: Outcome, wording: Wording): string[] {
  if (outcome.kind !== 'valid') return []
  const { isExpiringSoon = false, advice } = wording
  const sentence = sentenceOf(outcome)
  const found = [
    ...(isWarning(sentence) ? [warnings[sentence]] : []),
    ...(isExpiringSoon ? [warnings.expires_soon] : []),
    ...(advice ? [advice] : []),
  ]
  return found.map((warning) => fill(warning, valuesFor(outcome, wording)))
}

function isWarning(sentence: Sentence): sentence is Sentence & keyof typeof warnings {
  return Object.hasOwn(warnings, sentence)
}

function valuesFor(outcome: Outcome, { permissions = {} }: Wording) {
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
  }
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
