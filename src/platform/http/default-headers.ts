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

/** Additional headers of responses that a browser shows as a page. */
export const pageHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY', // for browsers that do not know frame-ancestors
} as const
