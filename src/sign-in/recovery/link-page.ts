import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { operation } from '../../identity/operation.ts'
import { pageHeaders } from '../../platform/http/default-headers.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { linkPageContract, linkScriptContract, linkStyleContract } from '../contract/recovery.ts'

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
  reply.type(`${type}; charset=utf-8`).headers(pageHeaders())
  return text
}
