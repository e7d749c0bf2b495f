import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { operation } from '../../identity/operation.ts'
import { pageHeaders } from '../../platform/http/default-headers.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { linkPageContract, linkScriptContract, linkStyleContract } from '../contract/recovery.ts'

/** Only files of this service, and no form that a browser sends by itself. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The page that links lead to, with its script and style. It is the same for every link: the token stays in the browser. */
export function linkPageRoutes() {
  const [page, script, style] = ['link.html', 'link.js', 'link.css'].map(textOf)
  return {
    linkPage: operation(linkPageContract, async ({ reply }) => send(reply, 'text/html', page)),
    linkScript: operation(linkScriptContract, async ({ reply }) => send(reply, 'text/javascript', script)),
    linkStyle: operation(linkStyleContract, async ({ reply }) => send(reply, 'text/css', style)),
  }
}

function textOf(name: string): string {
  return readFileSync(`${packageRoot()}/pages/${name}`, 'utf8')
}

/** Stored by no cache, as every response. */
function send(reply: FastifyReply, type: string, text = ''): string {
  reply.type(`${type}; charset=utf-8`).headers({ ...pageHeaders, 'content-security-policy': pagePolicy })
  return text
}
