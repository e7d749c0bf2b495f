import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../platform/http/cors.ts'
import { refuse } from '../platform/problems.ts'

/**
 * Checks that a request comes from a page of this service (`publicUrl`, or the requested host) and returns the origin
 * of that page. Browsers send `Origin` or `Sec-Fetch-Site` with every unsafe request, and pages cannot set them.
 * Problems: `origin_refused` for other pages and without these headers; `https_required` for a page loaded over http
 * from another machine. Source: Fetch Standard §3.2, Fetch Metadata §2.3.
 */
export function readPageOrigin({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string): URL {
  const { origin, host = '', 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') refuse('origin_refused')
  if (site === undefined && origin === undefined) refuse('origin_refused')
  const publicOrigin = new URL(publicUrl).origin
  const own = [publicOrigin, `https://${host}`, `http://${host}`]
  const shown = origin ?? originOfHost(host, publicOrigin)
  if (!own.includes(shown) || !URL.canParse(shown)) refuse('origin_refused')
  const page = new URL(shown)
  if (page.protocol !== 'https:' && !isLoopback(page.hostname)) refuse('https_required')
  return page
}

/** Without `Origin`: browsers send `Sec-Fetch-Site` only over https and on localhost. */
function originOfHost(host: string, publicOrigin: string): string {
  const encrypted = `https://${host}`
  if (publicOrigin === encrypted) return encrypted
  return URL.canParse(encrypted) && isLoopback(new URL(encrypted).hostname) ? `http://${host}` : encrypted
}
