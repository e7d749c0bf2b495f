import type { Answer } from './service.ts'

/** What a client decides by. */
export function problemOf({ status, body }: Answer): { status: number; code: string | undefined } {
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : undefined
  return { status, code }
}
