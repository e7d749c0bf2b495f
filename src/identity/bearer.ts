import { refuse } from '../platform/problems.ts'

/**
 * Returns the token of `Authorization: Bearer …` (RFC 6750 §2.1). Reads the raw header lines, because Node silently
 * drops a second `Authorization` header, which must be rejected.
 * Problems: `token_missing`, `token_malformed`.
 */
export function readBearer(rawHeaders: readonly string[]): string {
  const line = authorizationLine(rawHeaders)
  if (line === undefined) return refuse('token_missing')
  // RFC 9110 §11.1: the name of the scheme is case-insensitive.
  const end = line.includes(' ') ? line.indexOf(' ') : line.length
  if (line.slice(0, end).toLowerCase() !== 'bearer') return refuse('token_missing')
  const token = line.slice(end + 1)
  return token === '' || token.includes(' ') ? refuse('token_malformed') : token
}

/**
 * RFC 8725bis §3.14: only the compact form of a signed token (RFC 7515 §7.1), which has three parts. Encrypted tokens
 * have five.
 */
export function isCompactForm(token: string): boolean {
  return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/.test(token)
}

function authorizationLine(rawHeaders: readonly string[]): string | undefined {
  let line: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length !== 13 || name.toLowerCase() !== 'authorization') continue
    if (line !== undefined) return refuse('token_malformed', { detail: 'The header Authorization was sent twice.' })
    line = rawHeaders[index + 1]
  }
  return line
}
