import type { FastifyReply, FastifyRequest } from 'fastify'
import { operation } from '../identity/operation.ts'
import { Problem, refuse } from '../platform/problems.ts'
import { Secret } from '../platform/secret.ts'
import type { BuiltInIssuer } from '../sign-in/issuer.ts'
import { clientOf } from '../sign-in/sessions/client.ts'
import type { AccessToken } from '../sign-in/sessions/contract.ts'
import { endSessionOfToken, limitUnknownTokens, refresh } from '../sign-in/sessions/refresh.ts'
import { endConsoleSessionContract, openConsoleSessionContract, renewConsoleSessionContract } from './contract.ts'
import { readPageOrigin } from './page-origin.ts'
import { type SessionCookie, sessionCookie } from './session-cookie.ts'

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

  return {
    open: operation(openConsoleSessionContract, async (input) =>
      exchange(new Secret(input.body.refresh_token), cookieOf(input.request), input),
    ),

    renew: operation(renewConsoleSessionContract, async (input) => {
      const cookie = cookieOf(input.request)
      const token = cookie.read(input.request.headers.cookie)
      if (token) return exchange(token, cookie, input).catch((error: unknown) => refuseWith(cookie, error))
      input.reply.code(204)
      return undefined
    }),

    end: operation(endConsoleSessionContract, async ({ request, reply }) => {
      const cookie = cookieOf(request)
      const token = cookie.read(request.headers.cookie)
      if (token) await endSessionOfToken(issuer, token, clientOf(request), unknownTokens)
      reply.header('set-cookie', cookie.removal)
    }),
  }
}

/** Removes a rejected token. After any other failure the page may retry. */
function refuseWith({ removal }: SessionCookie, error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'refresh_refused') throw error
  return refuse('refresh_refused', { ...error.more, headers: { ...error.more.headers, 'set-cookie': removal } })
}
