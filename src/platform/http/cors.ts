import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { addVary } from './vary.ts'

export interface CorsSettings {
  /** Origins as browsers send them. */
  readonly origins: readonly string[]
  readonly methodsAt: (path: string) => readonly string[]
  /** No page calls the paths that begin so: they have no CORS. */
  readonly closedPaths: readonly string[]
}

/**
 * Lets pages of other origins read answers, refusals included, and answers the preflight requests of their browsers. Other origins
 * are served without the headers: CORS protects no API whose tokens a page has to send by itself. Source: Fetch Standard §3.2.
 */
export function allowOrigins(app: FastifyInstance, { origins, methodsAt, closedPaths }: CorsSettings): void {
  const listed = new Set(origins)

  function optionsOf(request: FastifyRequest): FastifyCorsOptions {
    const { origin } = request.headers
    const [path = ''] = request.url.split('?', 1)
    const isAllowed = origin !== undefined && listed.has(origin) && !closedPaths.some((start) => path.startsWith(start))
    if (!isAllowed) return { origin: false }
    const methods = isPreflight(request) ? methodsAt(path) : []
    return { ...common, origin, methods: [...methods], preflight: methods.length > 0 }
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') addVary(reply, 'Access-Control-Request-Method, Access-Control-Request-Headers')
    done()
  })
  // Appends `Vary: Origin` to every answer, whatever its request had.
  app.register(import('@fastify/cors'), {
    delegator: (request: FastifyRequest, done: (error: Error | null, options: FastifyCorsOptions) => void) =>
      done(null, optionsOf(request)),
  })
}

/** Any other `OPTIONS` is a method that no operation has. */
function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

const common = {
  exposedHeaders:
    'Acted-By, Deprecation, ETag, Link, Location, Muster-Read, RateLimit, RateLimit-Policy, Retry-After, Sunset, Total-Count, WWW-Authenticate, X-Request-Id',
  allowedHeaders: 'Act-As, Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key',
  maxAge: 7_200, // Chromium remembers no preflight for longer
} as const satisfies FastifyCorsOptions

/** An origin as an operator sets it: exactly as browsers send it, and encrypted unless it is on the person's own machine. */
export function originFault(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.origin !== value || value.includes('*'))
    return 'must contain origins as browsers send them, such as https://app.example.com: lower case, without path and default port.'
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return undefined
  return 'must contain https origins; http is for loopback addresses only, such as http://localhost:5173.'
}

/** Whether a host as a URL has it is the person’s own machine. */
export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const address = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
