import type { Answer } from '../../key-check/index.ts'
import type { Guard } from './credential-guard.ts'

/*
 * An allow-list: what is not known to be harmless becomes a placeholder. docs/checking-keys.md lists what stays.
 */

const entriesMax = 3
const depthMax = 12

/** Names of members and kinds of values. Texts stay under a few names, in an answer that reports an error. */
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

/** A short error of plain words and small numbers. Quotes mark a value, and so do an @, a percent sign and a word with digits in it. */
function isHarmlessText(value: string, { name, isError, guard }: Place): boolean {
  if (!isError || !textNames.has(name) || value.length > 160 || !/^[\w\s.,:;!?()'’/-]*$/.test(value)) return false
  const hasQuotes = /(?:^|[^A-Za-z])['’]|['’](?:[^A-Za-z]|$)/.test(value)
  return !hasQuotes && (value.match(/[A-Za-z0-9]+/g) ?? []).every(isPlainWord) && isFree(value, guard)
}

/** Letters of a word, in capitals or as words in camel case, a number of at most seven digits, or one such as `v4` and `oauth2`. */
function isPlainWord(word: string): boolean {
  if (/^\d{1,7}$/.test(word) || /^(?:v\d|oauth2|ipv[46])$/i.test(word)) return true
  return /^(?:[A-Z]{1,16}|[A-Z]{0,5}[a-z]{1,20})(?:[A-Z]{1,5}[a-z]{2,20}){0,5}$/.test(word)
}

function isFree(text: string, guard: Guard): boolean {
  return !guard.hasPiece(text) && !guard.hasWord(text)
}

/** A member may be named by an id or by a zone: a dot, two digits or more, or letters that make no words are a value. */
function isHarmlessName(name: string, guard: Guard): boolean {
  const isShaped = /^[@$_]?[A-Za-z][A-Za-z_:-]{0,39}\d?$/.test(name)
  return isShaped && (name.match(/[A-Za-z]+/g) ?? []).every(isPlainWord) && !guard.hasPiece(name)
}

/** Pieces of a path and values of a query that are ids or parts of the credential become `{…}`. */
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

/** The four headers that tell how an answer was meant, each rebuilt from what is known of its form. */
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

/** RFC 9110 §5.6.7, in the form that is to be sent. `Date.parse` would also find a date in other text. */
function dateOf(value: string): string | undefined {
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)
  const ms = isDate ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toUTCString()
}

/** RFC 9110 §11.6.1: the scheme, and of RFC 6750 §3.1 the error. Realms and other parameters may name an account. */
function challengeOf(value: string): string | undefined {
  const scheme = schemes.find((name) => new RegExp(`^${name}(?![\\w-])`, 'i').test(value))
  const [, error] = /\berror="?(invalid_request|invalid_token|insufficient_scope)"?(?![\w-])/.exec(value) ?? []
  return scheme && (error === undefined ? scheme : `${scheme} error="${error}"`)
}

const schemes = ['Basic', 'Bearer', 'Digest', 'DPoP', 'Negotiate', 'Token', 'ApiKey']
