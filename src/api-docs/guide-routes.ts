import type { FastifyReply, FastifyRequest } from 'fastify'
import { operations } from '../identity/operation.ts'
import { pageHeaders } from '../platform/http/default-headers.ts'
import { sendDocument } from '../platform/http/static-document.ts'
import { refuse } from '../platform/problems.ts'
import { guideContracts } from './guide-contract.ts'
import type { GuideFiles } from './guide-files.ts'

/**
 * The build leaves no inline scripts or styles in a page (tools/.vitepress/strict-page.ts). Icons are data URLs in its
 * style sheet.
 */
const sources = { 'img-src': "'self' data:" }

/** The documentation of this release. Pages are revalidated; files are cached forever. */
export function guidePages(files: GuideFiles) {
  const send = async (address: string, input: Input, cacheControl: string) => {
    const file = files.get(address) ?? refuse('route_unknown', files.size > 0 ? {} : { detail: notBuilt })
    if (file.type.startsWith('text/html')) input.reply.headers(pageHeaders(sources))
    return sendDocument(file.document, input, { type: file.type, cacheControl })
  }
  const forEver = 'public, max-age=31536000, immutable'
  return operations(guideContracts, {
    start: (input) => send('', input, 'no-cache'),
    page: (input) => send(input.params.page, input, 'no-cache'),
    section: (input) => send(`${input.params.section}/${input.params.page}`, input, 'no-cache'),
    asset: (input) => send(`assets/${input.params.file}`, input, forEver),
    chunk: (input) => send(`assets/chunks/${input.params.file}`, input, forEver),
  })
}

interface Input {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

const notBuilt = 'The documentation is not built. In a checkout, run `npm run build`.'
