import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseBoundedJson } from '../platform/json-text.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'

/** Default tolerance of Stripe and of Standard Webhooks. */
const toleranceSeconds = 300

interface SignedContent {
  /** The signed content. */
  readonly content: string
  readonly encoding: 'hex' | 'base64'
  /** The signatures in the request; one of them must be valid. */
  readonly signatures: readonly string[]
  /** Seconds since 1970, part of the signed content. */
  readonly at: string
}

/**
 * Passes if one of the secrets (separated by commas) made one of the signatures with HMAC-SHA-256, and the time is within 300 s of now.
 * Every processor uses this comparison. Throws `webhook_unsigned`, also without a secret, and `webhook_outdated`.
 */
export function verifyHmac(
  { content, encoding, signatures, at }: SignedContent,
  secrets: Secret | undefined,
  nowMs: number,
): void {
  const made = secretsOf(secrets).map((secret) => createHmac('sha256', secret).update(content).digest(encoding))
  const isGenuine = made.some((expected) => signatures.some((signature) => isSame(expected, signature)))
  if (!isGenuine || !/^\d{1,12}$/.test(at)) refuse('webhook_unsigned')
  const ageSeconds = Math.floor(nowMs / 1_000) - Number(at)
  if (Math.abs(ageSeconds) > toleranceSeconds) refuse('webhook_outdated')
}

function secretsOf(secrets: Secret | undefined): string[] {
  if (secrets === undefined) return []
  return secrets
    .open()
    .split(',')
    .map((secret) => secret.trim())
}

function isSame(expected: string, received: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(received)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The value of a header that must occur exactly once. */
export function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : refuse('webhook_unsigned')
}

/** Reads `t=…,v1=…,v1=…`. Returns all values of a name; there are several while a secret is being replaced. */
export function readPairs(header: string, separator: ',' | ';'): (name: string) => string[] {
  const pairs = header.split(separator).map((part) => part.split('=', 2))
  return (wanted) => pairs.flatMap(([name, value]) => (name === wanted && value ? [value] : []))
}

/** Decodes text without changing bytes: a decoder that drops or replaces some would verify another text than the signed one. */
export function exactText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    return refuse('webhook_unsigned', { cause })
  }
}

export function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch (cause) {
    return refuse('body_malformed', { cause })
  }
}
