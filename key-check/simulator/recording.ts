import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** One call to a provider and its answers, as documented or recorded. Each file in `recordings/` has one call. */
export interface Recording {
  readonly id: string
  readonly keyType: 'api_token' | 'api_key'
  /** The other parts of the credential. */
  readonly parts?: Readonly<Record<string, string>>
  /** The parts of the recorded keys, if they depend on the key. */
  readonly partsOf?: (key: string) => Readonly<Record<string, string>>
  /** The key that gets an answer, if keys have a special form. Default: `<id>-<name>`. */
  readonly keyOf?: (name: string) => string
  readonly call: RecordedCall
  /**
   * Set for a read of abilities: the check asks for details, or is for this zone. Earlier calls with its keys get their answer `valid`,
   * unless they name the key.
   */
  readonly asks?: { readonly zone?: string }
  readonly answers: readonly RecordedAnswer[]
}

/**
 * `{key}` is replaced by the key, `{email:key}` and `{key:}` by those pairs in base64 for HTTP Basic, and `{token}` by the access token that
 * the key is exchanged for.
 */
export interface RecordedCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** As JSON. `{key}` is replaced by the key. */
  readonly body?: unknown
  /** Any other condition, such as a valid signature of this credential. */
  readonly accepts?: (sent: Sent, credential: RecordedCredential) => boolean | Promise<boolean>
}

export interface Sent {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RecordedCredential {
  readonly apiKey: string
  readonly parts: Readonly<Record<string, string>>
}

export type RecordedAnswer = GivenAnswer & (SourcedAnswer | MadeUpAnswer)

interface SourcedAnswer {
  /** The source: a URL and a date, `owner/repository path @commit`, or an issue and its date. */
  readonly source: string
  readonly madeUp?: undefined
  /** The expected verdict and code; missing if the answer proves nothing. */
  readonly verdict?: { readonly isValid: boolean; readonly code: string }
  /** What the answer to a read of abilities shows: `details.capabilities` and `details.fitsPurpose`. */
  readonly shows?: { readonly capabilities?: object; readonly fitsPurpose?: 'yes' | 'no' | 'unknown' }
}

/** An answer without a source proves nothing. */
interface MadeUpAnswer {
  /** Why it is included without a source. */
  readonly madeUp: string
  readonly source?: undefined
  readonly verdict?: undefined
  readonly shows?: undefined
}

interface GivenAnswer {
  readonly name: string
  /** Another call follows. Its result is in another recording of the provider, in the answer of the same name. */
  readonly isFollowed?: true
  /** Replaces the parts of the recording. */
  readonly parts?: Readonly<Record<string, string>>
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as is, anything else as JSON. `{token}` in it, or in a header, is replaced by the access token of the key. */
  readonly body: unknown
  /** The expected problem; default: the one for an unknown answer. */
  readonly problem?: string
  /** The wait that the problem states. */
  readonly retryAfterSeconds?: number
}

export const recordedEmail = 'user@example.com'

export function keyFor(recording: Recording, answer: Pick<RecordedAnswer, 'name'>): string {
  return recording.keyOf?.(answer.name) ?? `${recording.id}-${answer.name}`
}

export function credentialFor(
  recording: Recording,
  answer: Pick<RecordedAnswer, 'name' | 'parts'>,
): RecordedCredential {
  const apiKey = keyFor(recording, answer)
  return { apiKey, parts: answer.parts ?? recording.partsOf?.(apiKey) ?? recording.parts ?? {} }
}

/** The headers that a call with this key must have. */
export function headersFor(call: RecordedCall, key: string): Record<string, string> {
  return Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, fill(value, key)]))
}

/** The body of a call with this key. */
export function bodyFor({ body }: RecordedCall, key: string): string {
  return body === undefined ? '' : fill(JSON.stringify(body), key)
}

/** The body of an answer to this key. */
export function answerBodyFor({ body }: Pick<RecordedAnswer, 'body'>, key: string): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return text.replaceAll('{token}', tokenFor(key))
}

/** The headers of an answer to this key. */
export function answerHeadersFor(
  { headers = {} }: Pick<RecordedAnswer, 'headers'>,
  key: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll('{token}', tokenFor(key))]),
  )
}

function tokenFor(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function fill(value: string, key: string): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return value
    .replace('{email:key}', base64(`${recordedEmail}:${key}`))
    .replace('{key:}', base64(`${key}:`))
    .replace('{token}', tokenFor(key))
    .replace('{key}', key)
}
