import { operations } from '../identity/operation.ts'
import { pageHeaders } from '../platform/http/default-headers.ts'
import { sendDocument } from '../platform/http/static-document.ts'
import { refuse } from '../platform/problems.ts'
import { consolePageContracts } from './contract.ts'
import type { ConsoleFiles } from './files.ts'

/** Trusted Types: text cannot become markup or code, except through the page's own policies. */
const sources = { 'img-src': "'self' data:", 'font-src': "'self'", 'require-trusted-types-for': "'script'" }

/** The page of the console and its files. `issuerOrigins`: other origins that its scripts may call. */
export function consolePages({ page, assets }: ConsoleFiles, issuerOrigins: readonly string[]) {
  const headers = pageHeaders({ ...sources, 'connect-src': ["'self'", ...issuerOrigins].join(' ') })
  return operations(consolePageContracts, {
    page: (input) => {
      input.reply.headers(headers)
      // Not cached: the page names the files of its release, which an upgrade removes.
      return sendDocument(page.document, input, { type: page.type, cacheControl: 'no-cache' })
    },
    file: (input) => {
      const { type, document } = assets.get(input.params.file) ?? refuse('route_unknown')
      return sendDocument(document, input, { type, cacheControl: 'public, max-age=31536000, immutable' })
    },
  })
}
