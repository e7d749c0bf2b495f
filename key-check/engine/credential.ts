import { createHmac } from 'node:crypto'

import { inputError, type KeyType } from '../api.ts'
import type { KeyTypeFacts } from './key-type.ts'
import type { Note } from './messages.ts'
import { readParts } from './parts.ts'
import { clean, trim } from './pasted.ts'
import { type CredentialTraits, type Invalid, invalid, type OpenCredential, type Provider } from './provider.ts'
import { Secret } from './secret.ts'

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

/** HMAC-SHA-256 over the values of a credential. The key makes guessing the credential useless. */
function digestOf(parts: readonly string[], key: Buffer): string {
  const hmac = createHmac('sha256', key)
  // The length comes first, so that ("ab", "c") and ("a", "bc") differ.
  for (const part of parts) hmac.update(`${part.length}:${part}`)
  return hmac.digest('base64')
}

/** The key for coalescing and caching: checks of the same credential share a verdict. With a caller, the key of the caller's own checks. */
export function cacheKeyOf({ provider, keyType, email, apiKey, parts }: Credential, key: Buffer, caller = ''): string {
  // The order of the parts is the order in the key type.
  const others = [...parts].flatMap(([name, part]) => [name, part.open()])
  return digestOf([provider.id, keyType, email.open(), apiKey.open(), ...others, caller], key)
}

/** A keyed hash of one part, such as the ID that several secrets belong to. */
export function partDigestOf({ provider, parts }: Credential, part: string, key: Buffer): string {
  return digestOf([provider.id, 'part', part, parts.get(part)?.open() ?? ''], key)
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
