/**
 * Headers of every response, as the OWASP REST Security Cheat Sheet recommends them for an API. Responses belong to one caller and may
 * change at any moment, so no cache may store them unless the operation sets another `cache-control`.
 */
export const defaultHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const

/** What a page may load: resources of this service only. */
const pageSources = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/** Additional headers of responses that a browser shows as a page, with what this page may load beside the scripts and styles of this service. */
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
