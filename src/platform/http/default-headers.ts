/**
 * Headers of every response, as recommended by the OWASP REST Security Cheat Sheet. No cache may store a response unless the operation
 * sets another `cache-control`.
 */
export const defaultHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const

/** CSP of pages: they load resources of this service only. */
const pageSources = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/** Additional headers of HTML pages. `sources` adds or replaces CSP directives. */
export function pageHeaders(sources: Readonly<Record<string, string>> = {}) {
  const directives = Object.entries({ ...pageSources, ...sources })
  return {
    'content-security-policy': directives.map(([name, value]) => `${name} ${value}`).join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY', // for browsers that do not know frame-ancestors
  }
}
