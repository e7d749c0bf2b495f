import { expect } from 'vitest'
import { openapi } from './openapi.ts'
import type { Answer } from './service.ts'

/** What a client decides by. */
export function problemOf({ status, body }: Answer): { status: number; code: string | undefined } {
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : undefined
  return { status, code }
}

/** The whole body of a problem without a detail. */
export function problemBody(code: string): { readonly status: number; readonly instance: unknown } {
  const example: { readonly status: number } = openapi.components.examples[code].value
  return { ...example, instance: expect.stringMatching(/^urn:uuid:/) }
}
