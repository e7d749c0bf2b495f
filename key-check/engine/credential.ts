import { createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import { type InputFault, inputError, type KeyType } from '../api.ts'
import type { Note } from './messages.ts'
import { type CredentialTraits, type Invalid, invalid, type OpenCredential, type Provider } from './provider.ts'
import type { KeyTypeFacts, PartInfo, PartInfos } from './provider-facts.ts'

/** A credential that can be sent: cleaned, secret, with its traits and notes on what was removed. */
export interface Credential extends CredentialTraits {
  readonly provider: Provider
  readonly apiKey: Secret
  readonly email: Secret
  readonly parts: ReadonlyMap<string, Secret>
  readonly notes: readonly Note[]
}

export interface CredentialInput {
  readonly keyType: KeyType
  readonly apiKey: Secret
  readonly email?: string | undefined
  /** The other parts of the credential, by the names in the key type. */
  readonly parts?: Readonly<Record<string, Secret>> | undefined
}

/**
 * Removes what users copy by accident. `unusable` says why the credential cannot be sent. Throws `input_invalid` at
 * `/keyType`, `/email` or a part.
 */
export function readCredential(
  provider: Provider,
  input: CredentialInput,
): { credential: Credential; unusable: Invalid | undefined } {
  const info = provider.keyTypes[input.keyType] ?? refuseKeyType(provider, input.keyType)
  const email = readEmail(input.email, info.email === 'required', provider)
  const parts = readParts(provider.title, info.parts ?? {}, input.parts ?? {})
  const { value, notes } = cleaned(info, input.apiKey.open())
  const credential: Credential = {
    provider,
    keyType: input.keyType,
    apiKey: new Secret(value),
    email: new Secret(email),
    parts,
    shape: provider.shapeOf?.(value) ?? 'any',
    notes,
  }
  if (value === '') return { credential, unusable: invalid('empty') }
  if (!possibleIn(info).test(value)) return { credential, unusable: invalid('impossible_characters') }
  const { reason, ...labels } = info.faultOf?.(value, openCredential(credential).parts) ?? {}
  return { credential, unusable: reason && invalid(reason, labels) }
}

/** A value that its owner chose may itself contain quotes or a name. */
function cleaned({ isMultiline, isChosen }: KeyTypeFacts, pasted: string): ReturnType<typeof clean> {
  if (isMultiline) return cleanFile(pasted)
  return isChosen ? { value: trim(pasted), notes: [] } : clean(pasted)
}

function possibleIn({ isMultiline, isChosen }: KeyTypeFacts): RegExp {
  if (isMultiline) return /^[\n\t\x20-\x7e]+$/
  return isChosen ? /^[\x20-\x7e]+$/ : /^[\x21-\x7e]+$/
}

/** A keyed hash of the credential, for coalescing and caching. The key makes guessing the credential useless. */
export function digestOf({ provider, keyType, email, apiKey, parts }: Credential, key: Buffer): string {
  // The order of the parts is the order in the key type.
  const others = [...parts].flatMap(([name, part]) => [name, part.open()])
  return hmacOf([provider.id, keyType, email.open(), apiKey.open(), ...others], key)
}

/** The same of a credential and its caller, from the digest of the credential. */
export function callerDigestOf(digest: string, callerId: string, key: Buffer): string {
  return hmacOf([digest, `caller ${callerId}`], key)
}

/** The same of one part, such as the ID that several secrets belong to. */
export function partDigestOf({ provider, parts }: Credential, part: string, key: Buffer): string {
  return hmacOf([provider.id, 'part', part, parts.get(part)?.open() ?? ''], key)
}

function hmacOf(values: readonly string[], key: Buffer): string {
  const hmac = createHmac('sha256', key)
  // The length comes first, so that ("ab", "c") and ("a", "bc") differ.
  for (const value of values) hmac.update(`${value.length}:${value}`)
  return hmac.digest('base64')
}

/** Opens the credential for the headers of one call and for checks before it. */
export function openCredential({ apiKey, email, keyType, parts }: Credential): OpenCredential {
  const opened = Object.fromEntries([...parts].map(([name, part]) => [name, part.open()]))
  return { apiKey: apiKey.open(), email: email.open(), keyType, parts: opened }
}

/** Keeps the lines of a file, each ending with one line feed. */
function cleanFile(pasted: string): { value: string; notes: Note[] } {
  return { value: trim(pasted).replaceAll('\r\n', '\n'), notes: [] }
}

function refuseKeyType(provider: Provider, keyType: KeyType): never {
  const supported = Object.keys(provider.keyTypes).join(', ')
  const detail = `${provider.title} does not support ${keyType}; it supports ${supported}.`
  throw inputError([{ at: '/keyType', detail }])
}

/**
 * Empty if the email is not required, whatever was given. Rejects characters that a header cannot carry. RFC 5321 §4.5.3.1.3 limits the
 * length.
 */
function readEmail(email: string | undefined, isRequired: boolean, provider: Provider): string {
  const missing = `${provider.title} needs the account's email address.`
  if (email === undefined) return isRequired ? refuseEmail(missing) : ''
  const value = trim(email)
  if (value === '' && isRequired) return refuseEmail(missing)
  if (value.length > 254 || !/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(value))
    return refuseEmail('This is not an email address.')
  return isRequired ? value : ''
}

function refuseEmail(detail: string): never {
  throw inputError([{ at: '/email', detail }])
}

/** The value of a part that is missing. */
export function defaultOf({ byDefault, options }: Pick<PartInfo, 'byDefault' | 'options'>): string | undefined {
  return byDefault ?? options?.[0]
}

/**
 * The parts to send: cleaned, secret, with defaults for missing ones. Throws `input_invalid` for each part that is missing, unknown or
 * cannot be sent.
 */
function readParts(
  title: string,
  declared: PartInfos,
  given: Readonly<Record<string, Secret>>,
): ReadonlyMap<string, Secret> {
  const values = new Map(Object.entries(given).map(([name, part]) => [name, trim(part.open())]))
  const unknown = [...values.keys()].filter((name) => !Object.hasOwn(declared, name))
  const errors = unknown.map((name) => faultAt(name, unknownPart(title, Object.keys(declared))))
  const parts = new Map<string, Secret>()
  for (const [name, info] of Object.entries(declared)) {
    const value = values.get(name) || (info.isOptional ? defaultOf(info) : undefined)
    if (value !== undefined) parts.set(name, new Secret(value))
    const fault = faultOf(value, info, values)
    if (fault !== undefined) errors.push(faultAt(name, `${title}: ${fault}`))
  }
  if (errors.length > 0) throw inputError(errors)
  return parts
}

function unknownPart(title: string, names: readonly string[]): string {
  return names.length === 0
    ? `A ${title} credential has no other parts.`
    : `${title} has no such part; its parts are ${names.join(', ')}.`
}

function faultOf(value: string | undefined, info: PartInfo, values: ReadonlyMap<string, string>): string | undefined {
  const { label, isOptional, options, mustMatch = '' } = info
  if (value === undefined)
    return isOptional && !isWanted(info, values) ? undefined : `the ${label} is missing, and is required for this key.`
  if (!/^[\x20-\x7e]+$/.test(value)) return `the ${label} contains characters that it cannot have.`
  if (!new RegExp(mustMatch).test(value)) return `the ${label} is not well-formed.`
  return options && !options.includes(value) ? `the ${label} must be one of ${options.join(', ')}.` : undefined
}

function isWanted({ requiredWhen = {} }: PartInfo, values: ReadonlyMap<string, string>): boolean {
  return Object.entries(requiredWhen).some(([name, pattern]) => new RegExp(pattern).test(values.get(name) ?? ''))
}

/** The contract allows only letters and digits in names, so the pointer needs no escaping. */
function faultAt(name: string, detail: string): InputFault {
  return { at: `/parts/${name}`, detail }
}

/** The label of the first part that does not look as it usually does. */
export function unusualPartOf(declared: PartInfos, values: ReadonlyMap<string, Secret>): string | undefined {
  const unusual = Object.entries(declared).find(([name, { pattern }]) => {
    const value = values.get(name)
    return pattern !== undefined && value !== undefined && !new RegExp(pattern).test(value.open())
  })
  return unusual?.[1].label
}

/**
 * Removes what users copy by accident: white space, byte order marks and zero-width characters around a value, JSON with one text, the name
 * of a variable, a setting or a header, an authorization scheme, one pair of quotes, and line breaks written as `\n`.
 */
export function clean(pasted: string): { value: string; notes: Note[] } {
  const notes: Note[] = []
  let value = withoutLineBreak(withoutName(outOfJson(trim(pasted), notes), notes), notes)
  value = withoutLineBreak(unquote(value, notes), notes)
  const scheme = /^(?:bearer|token|apikey)\s/i.exec(value)
  if (scheme) {
    notes.push('scheme')
    value = unquote(trim(value.slice(scheme[0].length)), notes)
  }
  return { value, notes }
}

/** The text of an object with one member, such as `{"token": "…"}`. */
function outOfJson(value: string, notes: Note[]): string {
  if (!value.startsWith('{') || !value.endsWith('}')) return value
  const members: unknown[] = Object.values(parsedObject(value))
  const [text] = members
  if (members.length !== 1 || typeof text !== 'string') return value
  notes.push('json')
  return trim(text)
}

/** Empty if the text is not a JSON object. */
function parsedObject(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/**
 * A name before the value, on one line: in capitals with an underscore, after `export`, before ` = ` or `: `, or one that ends with a word
 * such as `token`. Any other `=` may belong to a key.
 */
const names: readonly RegExp[] = [
  /^(?:(?:export|set)\s+[A-Za-z_]\w{0,99}|\$env:\w{1,100}\s*|[A-Z][A-Z0-9]{0,49}(?:_[A-Z0-9]{1,50}){1,9})=(?!=)\s*(?=\S.*$)/,
  /^[A-Za-z][\w.-]{0,99}(?:\s{1,9}=\s*|(?:token|key|secret|password)=(?!=))(?=\S.*$)/i,
  /^["']?[A-Za-z][\w.-]{0,99}["']?\s{0,9}:\s+(?=\S.*$)/,
]

function withoutName(value: string, notes: Note[]): string {
  const [name] = names.flatMap((form) => form.exec(value) ?? [])
  // The name alone shows that the service has ended.
  if (name === undefined || endedServiceOf(value) !== undefined) return value
  notes.push('name')
  const rest = value.slice(name.length)
  // The end of a member of JSON.
  return /^(["']).*\1[,;]$/.test(rest) ? rest.slice(0, -1) : rest
}

/** Removes `\n` and `\r` written as two characters at the end. */
function withoutLineBreak(value: string, notes: Note[]): string {
  let end = value.length
  while (value.endsWith('\\n', end) || value.endsWith('\\r', end)) end -= 2
  if (end === value.length || end === 0) return value
  notes.push('escape')
  return trim(value.slice(0, end))
}

function unquote(value: string, notes: Note[]): string {
  const pairs = ['""', "''", '``', '“”', '‘’']
  const isQuoted = value.length > 2 && pairs.includes(`${value.at(0)}${value.at(-1)}`)
  if (!isQuoted || notes.includes('quotes')) return value
  notes.push('quotes')
  return trim(value.slice(1, -1))
}

/** Not a regular expression: one anchored at the end takes quadratic time on long white space inside the value. */
export function trim(value: string): string {
  let start = 0
  let end = value.length
  // `charAt` beyond the ends returns '', which is not blank.
  while (isBlank(value.charAt(start))) start++
  while (isBlank(value.charAt(end - 1))) end--
  return value.slice(start, end)
}

function isBlank(character: string): boolean {
  return /[\s\u00ad\u180e\u200b-\u200f\u2060\ufeff]/.test(character)
}

/**
 * The service that has ended, by the name before its token. The token itself is plain base64 and cannot be recognized
 * (go-acme/lego providers/dns/googledomains, aaomidi/certbot-dns-google-domains, acmesh-official/acme.sh dns_googledomains.sh).
 */
export function endedServiceOf(value: string): string | undefined {
  return endedNames.test(value) ? 'Google Domains' : undefined
}

const endedNames = /^(?:(?:export|set)\s+)?(?:dns_)?google_?domains_access_token["']?\s{0,9}[:=]/i

/** A value that must never be printed. Every printed form hides it; only `open()` returns it. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  open(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}
