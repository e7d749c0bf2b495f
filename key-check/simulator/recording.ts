import type { IncomingHttpHeaders } from 'node:http'

/** One call to a provider and what it answers, as documented or recorded. A file in `recordings/` for each call. */
export interface Recording {
  readonly id: string
  readonly keyType: 'api_token' | 'api_key'
  /** The other parts of the credential. */
  readonly parts?: Readonly<Record<string, string>>
  /** The key that gets an answer, where it has a form of its own. Default: `<id>-<name>`. */
  readonly keyOf?: (name: string) => string
  readonly call: RecordedCall
  readonly answers: readonly RecordedAnswer[]
}

/** `{key}` stands for the key; `{email:key}` and `{key:}` for those pairs in base64, as HTTP Basic wants them. */
export interface RecordedCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** As JSON. `{key}` stands for the key. */
  readonly body?: unknown
  /** What the rest cannot say, such as whether this credential signed the call. */
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
  /** Where it is from: a URL and a date, `owner/repository path @commit`, or an issue and its date. */
  readonly source: string
  readonly madeUp?: undefined
  /** What the answer means: a verdict and its code, or nothing for one that proves nothing. */
  readonly verdict?: { readonly isValid: boolean; readonly code: string }
}

/** An answer that no source shows decides nothing. */
interface MadeUpAnswer {
  /** Why it is there, though no source shows it. */
  readonly madeUp: string
  readonly source?: undefined
  readonly verdict?: undefined
}

interface GivenAnswer {
  readonly name: string
  /** Another call is made after it. What that decides is in another recording of the provider, by the answer of the same name. */
  readonly isFollowed?: true
  /** In place of those of the recording. */
  readonly parts?: Readonly<Record<string, string>>
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent as it is, anything else as JSON. */
  readonly body: unknown
  /** The problem that it becomes, where it is not the one of any unknown answer. */
  readonly problem?: string
}

export const recordedEmail = 'user@example.com'

export function keyFor(recording: Recording, answer: Pick<RecordedAnswer, 'name'>): string {
  return recording.keyOf?.(answer.name) ?? `${recording.id}-${answer.name}`
}

export function credentialFor(
  recording: Recording,
  answer: Pick<RecordedAnswer, 'name' | 'parts'>,
): RecordedCredential {
  return { apiKey: keyFor(recording, answer), parts: answer.parts ?? recording.parts ?? {} }
}

/** The headers a call with this key must carry. */
export function headersFor(call: RecordedCall, key: string): Record<string, string> {
  return Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, fill(value, key)]))
}

/** The text of a body with this key. */
export function bodyFor({ body }: RecordedCall, key: string): string {
  return body === undefined ? '' : fill(JSON.stringify(body), key)
}

function fill(value: string, key: string): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return value
    .replace('{email:key}', base64(`${recordedEmail}:${key}`))
    .replace('{key:}', base64(`${key}:`))
    .replace('{key}', key)
}
