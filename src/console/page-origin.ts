import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../platform/http/cors.ts'
import { refuse } from '../platform/problems.ts'

/**
 * The origin of the page that a request comes from, which is one of this service: that of `publicUrl`, or of the host that the
 * request names. A browser sends `Origin` or `Sec-Fetch-Site` with every request that changes something, and no page can choose them.
 * Problems: `origin_refused` for other pages and for requests that name none; `https_required` for a page that came over plain
 * http from another machine. Source: Fetch Standard §3.2, Fetch Metadata §2.3.
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

/** Of a request without `Origin`: browsers send `Sec-Fetch-Site` to encrypted addresses and to their own machine only. */
function originOfHost(host: string, publicOrigin: string): string {
  const encrypted = `https://${host}`
  if (publicOrigin === encrypted) return encrypted
  return URL.canParse(encrypted) && isLoopback(new URL(encrypted).hostname) ? `http://${host}` : encrypted
}
