import { operation } from '../identity/operation.ts'
import { pageHeaders } from '../platform/http/default-headers.ts'
import { sendDocument } from '../platform/http/static-document.ts'
import { refuse } from '../platform/problems.ts'
import { consoleFileContract, consolePageContract } from './contract.ts'
import type { ConsoleFiles } from './files.ts'

/** Text never becomes markup or code in the page, unless a script makes it so by a policy of its own (Trusted Types). */
const sources = { 'img-src': "'self' data:", 'font-src': "'self'", 'require-trusted-types-for': "'script'" }

/** The page of the console and what it loads. `issuerOrigins`: those that its scripts call beside this service. */
export function consolePages({ page, assets }: ConsoleFiles, issuerOrigins: readonly string[]) {
  const headers = pageHeaders({ ...sources, 'connect-src': ["'self'", ...issuerOrigins].join(' ') })
  return {
    page: operation(consolePageContract, async (input) => {
      input.reply.headers(headers)
      // The page names the files of its release: a stored one would ask for files that are no longer there.
      return sendDocument(page.document, input, { type: page.type, cacheControl: 'no-cache' })
    }),
    file: operation(consoleFileContract, async (input) => {
      const { type, document } = assets.get(input.params.file) ?? refuse('route_unknown')
      return sendDocument(document, input, { type, cacheControl: 'public, max-age=31536000, immutable' })
    }),
  }
}
