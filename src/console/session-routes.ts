import type { FastifyReply, FastifyRequest } from 'fastify'
import { operations } from '../identity/operation.ts'
import { isLoopback } from '../platform/http/cors.ts'
import { Problem, refuse } from '../platform/problems.ts'
import { Secret } from '../platform/secret.ts'
import type { BuiltInIssuer } from '../sign-in/issuer.ts'
import { clientOf } from '../sign-in/sessions/client.ts'
import type { AccessToken } from '../sign-in/sessions/contract.ts'
import { endSessionOfToken, limitUnknownTokens, refresh } from '../sign-in/sessions/refresh.ts'
import { consoleSessionContracts } from './contract.ts'

interface Received {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * The session of the console. The page has the access token; the browser sends the refresh token only to these
 * operations, in a cookie.
 */
export function consoleSession(issuer: BuiltInIssuer) {
  const { issuer: publicUrl, sessionIdleSeconds } = issuer.settings
  const unknownTokens = limitUnknownTokens(issuer)
  const cookieOf = (request: FastifyRequest) => sessionCookie(readPageOrigin(request, publicUrl))

  async function exchange(token: Secret, cookie: SessionCookie, { request, reply }: Received): Promise<AccessToken> {
    const { refresh_token: next, ...access } = await refresh(issuer, token, clientOf(request), unknownTokens)
    reply.header('set-cookie', cookie.store(new Secret(next), sessionIdleSeconds))
    return access
  }

  return operations(consoleSessionContracts, {
    open: (input) => exchange(new Secret(input.body.refresh_token), cookieOf(input.request), input),

    renew: async (input) => {
      const cookie = cookieOf(input.request)
      const token = cookie.read(input.request.headers.cookie)
      if (token) return exchange(token, cookie, input).catch((error: unknown) => refuseWith(cookie, error))
      input.reply.code(204)
      return undefined
    },

    end: async ({ request, reply }) => {
      const cookie = cookieOf(request)
      const token = cookie.read(request.headers.cookie)
      if (token) await endSessionOfToken(issuer, token, clientOf(request), unknownTokens)
      reply.header('set-cookie', cookie.removal)
    },
  })
}

/** Removes a rejected token. After any other failure the page may retry. */
function refuseWith({ removal }: SessionCookie, error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'refresh_refused') throw error
  return refuse('refresh_refused', { ...error.more, headers: { ...error.more.headers, 'set-cookie': removal } })
}

/**
 * Checks that a request comes from a page of this service (`publicUrl`, or the requested host) and returns the origin
 * of that page. Browsers send `Origin` or `Sec-Fetch-Site` with every unsafe request, and pages cannot set them.
 * Problems: `origin_refused` for other pages and without these headers; `https_required` for a page loaded over http
 * from another machine. Source: Fetch Standard §3.2, Fetch Metadata §2.3.
 */
function readPageOrigin({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string): URL {
  const { origin, host = '', 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') refuse('origin_refused')
  if (site === undefined && origin === undefined) refuse('origin_refused')
  const publicOrigin = new URL(publicUrl).origin
  const own = [publicOrigin, `https://${host}`, `http://${host}`]
  const pageOrigin = origin ?? originOfHost(host, publicOrigin)
  if (!own.includes(pageOrigin) || !URL.canParse(pageOrigin)) refuse('origin_refused')
  const page = new URL(pageOrigin)
  if (page.protocol !== 'https:' && !isLoopback(page.hostname)) refuse('https_required')
  return page
}

/** Without `Origin`: browsers send `Sec-Fetch-Site` only over https and on localhost. */
function originOfHost(host: string, publicOrigin: string): string {
  const encrypted = `https://${host}`
  if (publicOrigin === encrypted) return encrypted
  return URL.canParse(encrypted) && isLoopback(new URL(encrypted).hostname) ? `http://${host}` : encrypted
}

/** The HttpOnly cookie that stores the refresh token of the console. */
interface SessionCookie {
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
function sessionCookie(page: URL): SessionCookie {
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
