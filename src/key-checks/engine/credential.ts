import { createHmac } from 'node:crypto'

import { refuse } from '../../platform/problems.ts'
import { Secret } from '../../platform/secret.ts'
import type { Note } from './messages.ts'
import type { CredentialTraits, InvalidReason, KeyType, OpenCredential, Provider } from './provider.ts'

/** A credential that can be sent: cleaned, still closed, with its traits and what was removed from it. */
export interface Credential extends CredentialTraits {
  readonly provider: Provider
  readonly apiKey: Secret
  readonly email: Secret
  readonly notes: readonly Note[]
}

export interface CredentialInput {
  readonly keyType: KeyType
  readonly apiKey: Secret
  readonly email?: string | undefined
}

/**
 * Cleans what was pasted: white space, byte order marks and zero-width characters around it, one authorization word
 * before it, one pair of quotes. `unusable` says why a value cannot be sent in a header, and so is no credential.
 * Problems: `input_invalid` at `/keyType` or `/email`.
 */
export function readCredential(
  provider: Provider,
  input: CredentialInput,
): { credential: Credential; unusable?: InvalidReason } {
  const info = provider.keyTypes[input.keyType] ?? refuseKeyType(provider, input.keyType)
  const email = readEmail(input.email, info.email === 'required', provider)
  const { value, notes } = clean(input.apiKey.open())
  const credential: Credential = {
    provider,
    keyType: input.keyType,
    apiKey: new Secret(value),
    email: new Secret(info.email === 'required' ? email : ''),
    shape: provider.shapeOf?.(value) ?? 'any',
    notes,
  }
  if (value === '') return { credential, unusable: 'empty' }
  return /^[\x21-\x7e]+$/.test(value) ? { credential } : { credential, unusable: 'impossible_characters' }
}

/** What is sent of a pasted key: the same for every way to paste it. */
export function cleanedKey(pasted: string): string {
  return clean(pasted).value
}

/**
 * HMAC-SHA-256 over what identifies a credential. Keyed, so that it is no help in guessing the credential: the rate limit uses
 * the key that all nodes share, the verdict cache one of its own process.
 */
export function fingerprintOf(parts: readonly string[], key: Buffer): string {
  const hmac = createHmac('sha256', key)
  // The length goes first: without it ("ab", "c") and ("a", "bc") would have one fingerprint.
  for (const part of parts) hmac.update(`${part.length}:${part}`)
  return hmac.digest('base64')
}

/** By which a check is coalesced and cached: two checks with the same key have the same verdict. */
export function cacheKeyOf({ provider, keyType, email, apiKey }: Credential, key: Buffer): string {
  return fingerprintOf([provider.id, keyType, email.open(), apiKey.open()], key)
}

/** Opened for the headers of one call; `provider-client.ts` is the only caller. */
export function openCredential({ apiKey, email, keyType }: Credential): OpenCredential {
  return { apiKey: apiKey.open(), email: email.open(), keyType }
}

function refuseKeyType(provider: Provider, keyType: KeyType): never {
  const taken = Object.keys(provider.keyTypes).join(', ')
  return refuse('input_invalid', {
    errors: [{ pointer: '/keyType', detail: `${provider.title} takes no ${keyType} here; it takes ${taken}.` }],
  })
}

/** What a header cannot carry is refused before it reaches one. RFC 5321 §4.5.3.1.3 bounds the length. */
function readEmail(email: string | undefined, isRequired: boolean, provider: Provider): string {
  const missing = `${provider.title} needs the e-mail address of the account.`
  if (email === undefined) return isRequired ? refuseEmail(missing) : ''
  const value = trim(email)
  if (value === '' && isRequired) return refuseEmail(missing)
  if (value.length > 254 || !/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(value))
    return refuseEmail('This is not an e-mail address.')
  return value
}

function refuseEmail(detail: string): never {
  return refuse('input_invalid', { errors: [{ pointer: '/email', detail }] })
}

function clean(pasted: string): { value: string; notes: Note[] } {
  const notes: Note[] = []
  let value = unquote(trim(pasted), notes)
  const scheme = /^(?:bearer|token|apikey)\s+/i.exec(value)
  if (scheme) {
    notes.push('scheme')
    value = unquote(trim(value.slice(scheme[0].length)), notes)
  }
  return { value, notes }
}

function unquote(value: string, notes: Note[]): string {
  const pairs = ['""', "''", '``', '“”', '‘’']
  const isQuoted = value.length > 2 && pairs.includes(`${value.at(0)}${value.at(-1)}`)
  if (!isQuoted || notes.includes('quotes')) return value
  notes.push('quotes')
  return trim(value.slice(1, -1))
}

/** Without a pattern: one anchored at the end takes quadratic time on a long run of white space inside the value. */
function trim(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && isBlank(value.charAt(start))) start++
  while (end > start && isBlank(value.charAt(end - 1))) end--
  return value.slice(start, end)
}

function isBlank(character: string): boolean {
  return /[\s\u00ad\u180e\u200b-\u200f\u2060\ufeff]/.test(character)
}
