/**
 * Headers of every answer: those that the OWASP REST Security Cheat Sheet asks of an API. Answers belong to one caller and may
 * change at any moment: no cache may keep them, unless the operation says otherwise.
 */
export const defaultHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const

/** Beside them, headers of what a browser shows as a page. */
export const pageHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY', // for browsers that do not know frame-ancestors
} as const
