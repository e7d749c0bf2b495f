import { createHmac } from 'node:crypto'

import { inputError, type KeyCheck, type KeyType } from '../api.ts'
import type { Note } from './messages.ts'
import { readParts } from './parts.ts'
import { clean, trim } from './pasted.ts'
import type { CredentialTraits, InvalidReason, OpenCredential, Provider } from './provider.ts'
import { Secret } from './secret.ts'

/** A credential that can be sent: cleaned, still closed, with its traits and what was removed from it. */
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
  /** The other parts of the credential, by the names that the key type declares. */
  readonly parts?: Readonly<Record<string, Secret>> | undefined
}

/**
 * Cleans what was pasted of what people copy along. `unusable` says why a value cannot be sent in a header, and so is no credential.
 * Error: `input_invalid` at `/keyType`, `/email` or a part.
 */
export function readCredential(
  provider: Provider,
  input: CredentialInput,
): { credential: Credential; unusable: InvalidReason | undefined } {
  const info = provider.keyTypes[input.keyType] ?? refuseKeyType(provider, input.keyType)
  const email = readEmail(input.email, info.email === 'required', provider)
  const parts = readParts(provider.title, info.parts ?? {}, input.parts ?? {})
  const { value, notes } = info.isMultiline ? cleanFile(input.apiKey.open()) : clean(input.apiKey.open())
  const credential: Credential = {
    provider,
    keyType: input.keyType,
    apiKey: new Secret(value),
    email: new Secret(email),
    parts,
    shape: provider.shapeOf?.(value) ?? 'any',
    notes,
  }
  if (value === '') return { credential, unusable: 'empty' }
  const possible = info.isMultiline ? /^[\n\t\x20-\x7e]+$/ : /^[\x21-\x7e]+$/
  return { credential, unusable: possible.test(value) ? info.faultOf?.(value) : 'impossible_characters' }
}

/** HMAC-SHA-256 over what identifies a credential. Keyed, so that it is no help in guessing the credential. */
function digestOf(parts: readonly string[], key: Buffer): string {
  const hmac = createHmac('sha256', key)
  // The length goes first: without it ("ab", "c") and ("a", "bc") would have one fingerprint.
  for (const part of parts) hmac.update(`${part.length}:${part}`)
  return hmac.digest('base64')
}

/** The same for a key as it was pasted, whatever else was pasted with it: such as for a limit of checks of one key. */
export function fingerprintOf({ provider = '', apiKey }: Pick<KeyCheck, 'provider' | 'apiKey'>, key: Buffer): string {
  return digestOf([provider, clean(apiKey).value], key)
}

/** By which a check is coalesced and cached: two checks with the same key have the same verdict. */
export function cacheKeyOf({ provider, keyType, email, apiKey, parts }: Credential, key: Buffer): string {
  // The declaration of the key type gives the parts their order.
  const others = [...parts].flatMap(([name, part]) => [name, part.open()])
  return digestOf([provider.id, keyType, email.open(), apiKey.open(), ...others], key)
}

/** Opened for the headers of one call; `provider-client.ts` is the only caller. */
export function openCredential({ apiKey, email, keyType, parts }: Credential): OpenCredential {
  const opened = Object.fromEntries([...parts].map(([name, part]) => [name, part.open()]))
  return { apiKey: apiKey.open(), email: email.open(), keyType, parts: opened }
}

/** A file keeps its lines, with one line feed at the end of each. */
function cleanFile(pasted: string): { value: string; notes: Note[] } {
  return { value: trim(pasted).replaceAll('\r\n', '\n'), notes: [] }
}

function refuseKeyType(provider: Provider, keyType: KeyType): never {
  const taken = Object.keys(provider.keyTypes).join(', ')
  const detail = `${provider.title} takes no ${keyType} here; it takes ${taken}.`
  throw inputError([{ at: '/keyType', detail }])
}

/**
 * Empty where it is not required, whatever was given. What a header cannot carry is refused before it reaches one.
 * RFC 5321 §4.5.3.1.3 bounds the length.
 */
function readEmail(email: string | undefined, isRequired: boolean, provider: Provider): string {
  const missing = `${provider.title} needs the e-mail address of the account.`
  if (email === undefined) return isRequired ? refuseEmail(missing) : ''
  const value = trim(email)
  if (value === '' && isRequired) return refuseEmail(missing)
  if (value.length > 254 || !/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(value))
    return refuseEmail('This is not an e-mail address.')
  return isRequired ? value : ''
}

function refuseEmail(detail: string): never {
  throw inputError([{ at: '/email', detail }])
}
