import type { AnsweredCall, KeyType } from '../../key-check/index.ts'
import type { Guard } from './credential-guard.ts'
import { redactedBody, redactedHeaders, redactedPath } from './redact.ts'

/** What `muster providers probe` prints and records. It contains no value of the credential. */
export interface ProbeRecord {
  readonly provider: string
  readonly keyType: KeyType
  /** Day in UTC. */
  readonly date: string
  /** Version of Muster. */
  readonly muster: string
  readonly checks: readonly Probed[]
}

export interface Probed extends Found {
  readonly key: 'real key' | 'made-up key'
  readonly comparison: Comparison
  readonly calls: readonly RecordedCall[]
}

/** The code of the verdict, or of the problem where there is no verdict. */
interface Found {
  readonly isValid?: boolean
  readonly code: string
}

type Comparison = 'as expected' | 'differs' | 'not compared'

interface RecordedCall {
  readonly request: { readonly method: string; readonly path: string }
  /** Absent where there was no answer. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly outcome: string
}

/** A real key is expected to be valid, and a made-up one invalid: a provider file that cannot say so does not fit the answer. */
export function comparisonOf(key: Probed['key'], { isValid, code }: Found, calls: number): Comparison {
  if (calls === 0 || notLookedAt.has(code)) return 'not compared'
  return isValid === (key === 'real key') ? 'as expected' : 'differs'
}

/** Problems with which the provider did not look at the key, or gave no answer. */
const notLookedAt: ReadonlySet<string> = new Set([
  'provider_unreachable',
  'provider_timeout',
  'provider_busy',
  'provider_address_refused',
  'provider_clock_refused',
])

export function recordedCall({ request, answer, kind, outcome }: AnsweredCall, guard: Guard): RecordedCall {
  const isAnswer = answer.kind === 'answer'
  return {
    request: { method: request.method, path: redactedPath(request.path, guard) },
    ...(isAnswer && { status: answer.status }),
    headers: isAnswer ? redactedHeaders(answer.headers) : {},
    body: isAnswer ? redactedBody(answer, guard) : `<${answer.code}>`,
    outcome: kind === outcome ? kind : `${kind}: ${outcome}`,
  }
}
