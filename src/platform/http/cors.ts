import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { addVary } from './negotiation.ts'

interface CorsSettings {
  /** Origins as browsers send them. */
  readonly origins: readonly string[]
  readonly methodsAt: (path: string) => readonly string[]
  /** Path prefixes without CORS, because no page calls them. */
  readonly closedPaths: readonly string[]
}

/**
 * Lets pages of the listed origins read all responses, including problems, and answers their preflight requests. Other origins are served
 * without CORS headers: rejecting them would not protect an API that uses no cookies. Source: Fetch Standard §3.2.
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
  // The plugin appends `Vary: Origin` to every response.
  app.register(import('@fastify/cors'), {
    delegator: (request: FastifyRequest, done: (error: Error | null, options: FastifyCorsOptions) => void) =>
      done(null, optionsOf(request)),
  })
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

const common = {
  exposedHeaders:
    'Acted-By, Content-Disposition, Deprecation, ETag, Link, Location, Muster-Read, RateLimit, RateLimit-Policy, Retry-After, Sunset, Total-Count, WWW-Authenticate, X-Request-Id',
  allowedHeaders: 'Act-As, Authorization, Cache-Control, Content-Type, If-Match, If-None-Match, Idempotency-Key',
  maxAge: 7_200, // the maximum in Chromium
} as const satisfies FastifyCorsOptions

/** Returns what is wrong with an origin in a setting, or undefined. Origins must be as browsers send them, and https unless loopback. */
export function originFault(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.origin !== value || value.includes('*'))
    return 'must contain origins as browsers send them, such as https://app.example.com: in lower case, without path or default port.'
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return undefined
  return 'must contain https origins. http is allowed for loopback addresses only, such as http://localhost:5173.'
}

/** Whether the host of a URL is a loopback name or address. */
export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const address = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
