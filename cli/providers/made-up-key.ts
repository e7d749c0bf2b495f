import { randomInt } from 'node:crypto'
import type { ProviderInfo } from '../../key-check/index.ts'
import { Secret } from '../../src/platform/secret.ts'
import type { Credential } from '../keys/credential.ts'

/**
 * The same credential with a random key and random secret parts. Returns undefined for a key that is a file, because the check would reject
 * a random one without a call.
 */
export function madeUpCredential(input: Credential, { keyTypes }: ProviderInfo): Credential | undefined {
  const fields = keyTypes.find(({ keyType }) => keyType === input.keyType)?.fields ?? []
  if (fields.find(({ name }) => name === 'apiKey')?.multiline) return undefined
  const isSecret = (name: string) => fields.some((field) => field.name === name && field.secret)
  const parts = Object.entries(input.parts ?? {}).map(
    ([name, value]) => [name, isSecret(name) ? madeUp(value) : value] as const,
  )
  return { ...input, apiKey: madeUp(input.apiKey), parts: Object.fromEntries(parts) }
}

/** Same length and kinds of characters. Keeps a prefix such as `cfut_`, because some providers check it first. */
function madeUp(secret: Secret): Secret {
  const value = secret.open().trim()
  const [prefix = ''] = /^(?:[a-z]{1,10}\d?_){1,3}/i.exec(value) ?? []
  const rest = value.slice(prefix.length)
  return new Secret(prefix + rest.replace(/[A-Za-z0-9]+/g, randomLike))
}

function randomLike(piece: string): string {
  const isHex = /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(piece) && piece.length >= 4
  return [...piece].map((character) => randomOf(isHex ? alphabetOfHex(piece) : alphabetOf(character))).join('')
}

function alphabetOfHex(piece: string): string {
  return /[A-F]/.test(piece) ? '0123456789ABCDEF' : /[a-f]/.test(piece) ? '0123456789abcdef' : digits
}

const digits = '0123456789'
const letters = 'abcdefghijklmnopqrstuvwxyz'

function alphabetOf(character: string): string {
  if (/\d/.test(character)) return digits
  return /[a-z]/.test(character) ? letters : letters.toUpperCase()
}

function randomOf(alphabet: string): string {
  return alphabet.charAt(randomInt(alphabet.length))
}
