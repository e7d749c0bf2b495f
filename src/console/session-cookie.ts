import { Secret } from '../platform/secret.ts'

/** The HttpOnly cookie that stores the refresh token of the console. */
export interface SessionCookie {
  /** The token in the request. Undefined without a cookie. */
  read(header: string | undefined): Secret | undefined
  /** The value of `Set-Cookie` that stores a token. Lifetime in seconds. */
  store(token: Secret, seconds: number): string
  /** The value of `Set-Cookie` that removes the token. */
  readonly removal: string
}

/**
 * With the prefix `__Host-` (RFC 6265bis §4.1.3.2), no other host and no page over http can set the cookie. Not every
 * browser accepts that prefix over http on localhost; there the cookie is limited to its path.
 */
export function sessionCookie(page: URL): SessionCookie {
  const isEncrypted = page.protocol === 'https:'
  const name = isEncrypted ? '__Host-muster-session' : 'muster-session'
  const attributes = isEncrypted ? 'Path=/; Secure; HttpOnly; SameSite=Strict' : localAttributes
  const form = new RegExp(`(?:^|;) *${name}=([\\w-]{1,256}) *(?:;|$)`)
  return {
    read(header) {
      const [, token] = form.exec(header ?? '') ?? []
      return token === undefined ? undefined : new Secret(token)
    },
    store: (token, seconds) => `${name}=${token.open()}; Max-Age=${seconds}; ${attributes}`,
    removal: `${name}=; Max-Age=0; ${attributes}`,
  }
}

const localAttributes = 'Path=/console/session; HttpOnly; SameSite=Strict'
