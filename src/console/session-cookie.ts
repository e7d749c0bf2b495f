import { Secret } from '../platform/secret.ts'

/** The cookie in which a browser keeps the refresh token of the console. No script can read it. */
export interface SessionCookie {
  /** The token that the request has; nothing where it has none. */
  read(header: string | undefined): Secret | undefined
  /** The value of `Set-Cookie` that stores a token for so many seconds. */
  store(token: Secret, seconds: number): string
  /** The value of `Set-Cookie` that removes the token. */
  readonly removal: string
}

/**
 * Encrypted, no other host and no page over http can set the cookie (`__Host-`, RFC 6265bis §4.1.3.2). On the person’s own machine
 * browsers would not take that prefix over http everywhere; the cookie is then sent to its path alone.
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
