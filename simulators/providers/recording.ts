/** What one provider is asked and what it answers, as documented or recorded. One file per provider in `recordings/`. */
export interface Recording {
  readonly id: string
  readonly keyType: 'api_token' | 'api_key'
  readonly call: RecordedCall
  readonly answers: readonly RecordedAnswer[]
}

/** `{key}` stands for the key; `{email:key}` and `{key:}` for those pairs in base64, as HTTP Basic wants them. */
export interface RecordedCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface RecordedAnswer {
  /** The key that gets this answer is `<id>-<name>`. */
  readonly name: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent as it is, anything else as JSON. */
  readonly body: unknown
  /** What the answer means: a verdict and its code, or nothing for one that proves nothing. */
  readonly verdict?: { readonly isValid: boolean; readonly code: string }
}

export const recordedEmail = 'user@example.com'

export function keyFor(recording: Recording, answer: Pick<RecordedAnswer, 'name'>): string {
  return `${recording.id}-${answer.name}`
}

/** The headers a call with this key must carry. */
export function headersFor(call: RecordedCall, key: string): Record<string, string> {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const fill = (value: string) =>
    value
      .replace('{email:key}', base64(`${recordedEmail}:${key}`))
      .replace('{key:}', base64(`${key}:`))
      .replace('{key}', key)
  return Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, fill(value)]))
}
