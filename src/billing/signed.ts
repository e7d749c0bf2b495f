import { createHmac, timingSafeEqual } from 'node:crypto'
import Type from 'typebox'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import type { Claim, claimRanks } from './events.ts'

/** Ids and words of a processor. Printable: PostgreSQL takes no zero character. */
export const Word = Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$' })

/** RFC 3339, with as many digits of a second as the processor tells. */
export const Instant = Type.String({
  maxLength: 40,
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$',
})

/** A signature may be this much older than now, or younger where clocks differ. */
const toleranceSeconds = 300

/** Text that has these bytes and no others: a decoder that drops or replaces some would let them differ from what was signed. */
export function exactText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    return refuse('webhook_unsigned', { cause })
  }
}

export function parseSigned(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    return refuse('body_malformed', { cause })
  }
}

export function secretsOf(secrets: Secret): string[] {
  return secrets
    .open()
    .split(',')
    .map((secret) => secret.trim())
}

export interface SignedText {
  /** What was signed. */
  readonly content: string
  readonly encoding: 'hex' | 'base64'
  /** The signatures that came with it; one of them must hold. */
  readonly signatures: readonly string[]
  /** Seconds since 1970, as they were signed. */
  readonly at: string
}

/**
 * Passes if one of the secrets (separated by commas) made one of the signatures with HMAC-SHA-256, and not too long ago.
 * Problems: `webhook_unsigned`, `webhook_outdated`.
 */
export function checkHmac({ content, encoding, signatures, at }: SignedText, secrets: Secret, nowMs: number): void {
  const made = secretsOf(secrets).map((secret) => createHmac('sha256', secret).update(content).digest(encoding))
  const isGenuine = made.some((expected) => signatures.some((signature) => isSame(expected, signature)))
  if (!isGenuine || !/^\d{1,12}$/.test(at)) refuse('webhook_unsigned')
  if (Math.abs(nowMs / 1_000 - Number(at)) > toleranceSeconds) refuse('webhook_outdated')
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** One header; one that was sent twice proves nothing. */
export function headerOf(headers: Readonly<Record<string, string | string[] | undefined>>, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : refuse('webhook_unsigned')
}

export const Owned = Type.Object({
  muster_account_id: Type.Optional(Word),
  muster_org_id: Type.Optional(Word),
})

export function claimOf(
  { muster_account_id: accountId, muster_org_id: orgId }: { muster_account_id?: string; muster_org_id?: string },
  rank: Exclude<Claim['rank'], typeof claimRanks.operator>,
): Claim[] {
  if (orgId !== undefined) return [{ kind: 'organization', value: orgId, rank }]
  return accountId === undefined ? [] : [{ kind: 'account', value: accountId, rank }]
}
