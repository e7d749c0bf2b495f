import type { Answer } from '../../key-check/index.ts'
import type { Credential } from '../keys/credential.ts'

// An allowlist: everything that is not known to be harmless becomes a placeholder. docs/checking-keys.md lists what stays.

const entriesMax = 3
const depthMax = 12

/** Keeps names of members and types of values. Keeps text only under a few names in an error response. */
export function redactedBody({ status, body, text }: Answer, guard: Guard): unknown {
  if (body === undefined) return text === '' ? '<empty>' : `<text ${text.length}>`
  return redacted(body, { name: '', depth: 0, isError: status >= 400, guard })
}

interface Place {
  readonly name: string
  readonly depth: number
  readonly isError: boolean
  readonly guard: Guard
}

function redacted(value: unknown, place: Place): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return isHarmlessNumber(value, place) ? value : '<number>'
  if (typeof value === 'string') return isHarmlessText(value, place) ? value : `<string ${value.length}>`
  if (typeof value !== 'object') return '<other>'
  if (place.depth === depthMax) return '<deeper>'
  const within = { ...place, depth: place.depth + 1 }
  if (Array.isArray(value)) {
    const first = value.slice(0, entriesMax).map((entry) => redacted(entry, { ...within, name: '' }))
    return value.length > entriesMax ? [...first, `<${value.length - entriesMax} more>`] : first
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, entry], at) => [
      isHarmlessName(name, place.guard) ? name : `<name ${at + 1}>`,
      redacted(entry, { ...within, name }),
    ]),
  )
}

const numberNames: ReadonlySet<string> = new Set(['code', 'status', 'error_code', 'errorCode'])
const textNames: ReadonlySet<string> = new Set(['message', 'error', 'title', 'type', 'code'])

function isHarmlessNumber(value: number, { name, guard }: Place): boolean {
  const isCode = numberNames.has(name) && Number.isInteger(value) && Math.abs(value) < 1_000_000
  return isCode && isFree(String(value), guard)
}

/** Accepts a short error of plain words and small numbers. Quotes, @, % and words with digits hint at a value. */
function isHarmlessText(value: string, { name, isError, guard }: Place): boolean {
  if (!isError || !textNames.has(name) || value.length > 160 || !/^[\w\s.,:;!?()'’/-]*$/.test(value)) return false
  const hasQuotes = /(?:^|[^A-Za-z])['’]|['’](?:[^A-Za-z]|$)/.test(value)
  return !hasQuotes && (value.match(/[A-Za-z0-9]+/g) ?? []).every(isPlainWord) && isFree(value, guard)
}

/** A word of letters, in capitals or camel case, a number of up to seven digits, or a name such as `v4` and `oauth2`. */
function isPlainWord(word: string): boolean {
  if (/^\d{1,7}$/.test(word) || /^(?:v\d|oauth2|ipv[46])$/i.test(word)) return true
  return /^(?:[A-Z]{1,16}|[A-Z]{0,5}[a-z]{1,20})(?:[A-Z]{1,5}[a-z]{2,20}){0,5}$/.test(word)
}

function isFree(text: string, guard: Guard): boolean {
  return !guard.hasPiece(text) && !guard.hasWord(text)
}

/** A member can be named by an ID or a zone. A dot, two or more digits, or letters that form no words mean a value. */
function isHarmlessName(name: string, guard: Guard): boolean {
  const isShaped = /^[@$_]?[A-Za-z][A-Za-z_:-]{0,39}\d?$/.test(name)
  return isShaped && (name.match(/[A-Za-z]+/g) ?? []).every(isPlainWord) && !guard.hasPiece(name)
}

/** Replaces IDs and parts of the credential in path and query with `{…}`. */
export function redactedPath(path: string, guard: Guard): string {
  const [steps = '', query] = path.split(/\?(.*)/s)
  const shownSteps = steps.split('/').map((step) => (isPlainStep(step, guard) ? step : '{id}'))
  if (query === undefined) return shownSteps.join('/')
  const shownQuery = query.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return `${isHarmlessName(name, guard) ? name : '{name}'}=${/^\d{1,3}$/.test(value) ? value : '{value}'}`
  })
  return `${shownSteps.join('/')}?${shownQuery.join('&')}`
}

function isPlainStep(step: string, guard: Guard): boolean {
  const isWord = /^[A-Za-z._-]{0,30}(?:\d{1,4}[A-Za-z.]{0,10}){0,2}$/.test(step)
  return isWord && !guard.hasPiece(step)
}

/** Keeps four headers that explain the response, each rebuilt from its known format. */
export function redactedHeaders(headers: Answer['headers']): Record<string, string> {
  const shown = Object.entries(readers).map(([name, read]) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, read(value) ?? `<string ${value.length}>`] as const]
  })
  return Object.fromEntries(shown.flat())
}

const readers: Readonly<Record<string, (value: string) => string | undefined>> = {
  'content-type': (value) => mediaTypes.find((type) => type === value.split(';')[0]?.trim().toLowerCase()),
  'www-authenticate': challengeOf,
  'retry-after': (value) => (/^\d{1,6}$/.test(value) ? value : dateOf(value)),
  date: dateOf,
}

const mediaTypes = [
  'application/json',
  'application/problem+json',
  'application/xml',
  'text/xml',
  'text/html',
  'text/plain',
]

/** IMF-fixdate (RFC 9110 §5.6.7). `Date.parse` alone would also find a date in other text. */
function dateOf(value: string): string | undefined {
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)
  const ms = isDate ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toUTCString()
}

/** Keeps the scheme (RFC 9110 §11.6.1) and the error (RFC 6750 §3.1). Realms and other parameters can name an account. */
function challengeOf(value: string): string | undefined {
  const scheme = schemes.find((name) => new RegExp(`^${name}(?![\\w-])`, 'i').test(value))
  const [, error] = /\berror="?(invalid_request|invalid_token|insufficient_scope)"?(?![\w-])/.exec(value) ?? []
  return scheme && (error === undefined ? scheme : `${scheme} error="${error}"`)
}

const schemes = ['Basic', 'Bearer', 'Digest', 'DPoP', 'Negotiate', 'Token', 'ApiKey']

/** Finds pieces of credentials in text. False positives are fine. */
export interface Guard {
  /** The text is a value, or shares `pieceLength` characters in a row with a value in any encoding. */
  hasPiece(text: string): boolean
  /** A word of the text is part of a value, such as its last four characters. */
  hasWord(text: string): boolean
}

/** Case-insensitive. */
const pieceLength = 6
const wordLength = 4

/** Finds values as plain text, base64 at every alignment, hexadecimal and URL-encoded. */
export function credentialGuard(inputs: readonly Credential[]): Guard {
  const values = [...new Set(inputs.flatMap(valuesOf))].filter((value) => value !== '')
  const plain = values.map((value) => value.toLowerCase())
  const forms = values.flatMap(formsOf).map((form) => form.toLowerCase())
  const pieces = new Set(forms.flatMap(piecesOf))
  const short = new Set(forms.filter((form) => form.length < pieceLength))
  const wordsOf = (text: string) => text.toLowerCase().split(/[^a-z0-9]+/)

  return {
    hasPiece(text) {
      return short.has(text.toLowerCase()) || piecesOf(text.toLowerCase()).some((piece) => pieces.has(piece))
    },
    hasWord(text) {
      return wordsOf(text).some(
        (word) => short.has(word) || (word.length >= wordLength && plain.some((value) => value.includes(word))),
      )
    },
  }
}

function valuesOf({ apiKey, email = '', parts = {} }: Credential): string[] {
  const secrets = [apiKey, ...Object.values(parts)].map((secret) => secret.open())
  return [email, ...secrets].flatMap((value) => leavesOf(value) ?? [value.trim()])
}

/** Values of a key that is a JSON file. The names of its members are public. */
function leavesOf(value: string): string[] | undefined {
  if (!value.trim().startsWith('{')) return undefined
  const leaves: string[] = []
  try {
    JSON.parse(value, (_name, leaf: unknown) => {
      if (typeof leaf === 'string') leaves.push(leaf)
      return leaf
    })
    return leaves
  } catch {
    return undefined
  }
}

function formsOf(value: string): string[] {
  // Also base64 of base64: a provider may repeat HTTP Basic credentials in base64.
  const once = base64Of(value)
  const base64 = [...once, ...once.flatMap(base64Of)]
  const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  const others = [value, encodeURIComponent(value), Buffer.from(value).toString('hex')]
  return [...others, ...base64, ...urlSafe].filter((form) => form !== '')
}

/**
 * Text before the value, such as the user name in HTTP Basic, shifts its bits, so there are three alignments. Each with and without the
 * last group, which depends on the text after the value.
 */
function base64Of(value: string): string[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((skipped) => {
    const rest = bytes.subarray(skipped)
    const whole = rest.toString('base64').replace(/=+$/, '')
    return [whole, whole.slice(0, Math.floor(rest.length / 3) * 4)]
  })
}

function piecesOf(text: string): string[] {
  const count = Math.max(0, text.length - pieceLength + 1)
  return Array.from({ length: count }, (_, at) => text.slice(at, at + pieceLength))
}
