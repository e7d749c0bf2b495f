import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Operation, operation, operations } from '../identity/operation.ts'
import { pageHeaders } from '../platform/http/default-headers.ts'
import { addVary, chooseType } from '../platform/http/negotiation.ts'
import { type BuiltFile, builtFile, jsonType, sendDocument, staticDocument } from '../platform/http/static-document.ts'
import { packageRoot } from '../platform/package-root.ts'
import { refuse } from '../platform/problems.ts'
import {
  docsPageContract,
  docsScriptContract,
  docsStyleContract,
  openapiContract,
  problemsPageContract,
} from './contract.ts'
import { guideContracts } from './guide-contract.ts'
import type { GuideFiles } from './guide-files.ts'

/** Builds the document on the first request. */
export function openapi(documentOf: () => object): Operation<typeof openapiContract> {
  const document = staticDocument(() => JSON.stringify(documentOf()))
  return operation(openapiContract, (input) =>
    sendDocument(document, input, { type: jsonType, cacheControl: 'public, max-age=300' }),
  )
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Muster: API reference</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${docsStyleContract.path}">
  </head>
  <body>
    <div id="reference"></div>
    <script src="${docsScriptContract.path}"></script>
  </body>
</html>
`

export function docsPage(): Operation<typeof docsPageContract> {
  return operation(docsPageContract, async ({ reply }) => {
    reply.type('text/html; charset=utf-8').headers(pageHeaders({ 'img-src': "'self' data:" }))
    return page
  })
}

const cacheControl = 'public, max-age=3600'

export function docsScript(): Operation<typeof docsScriptContract> {
  const { document, type } = referenceFile('reference.js')
  return operation(docsScriptContract, (input) => sendDocument(document, input, { type, cacheControl }))
}

export function docsStyle(): Operation<typeof docsStyleContract> {
  const { document, type } = referenceFile('reference.css')
  return operation(docsStyleContract, (input) => sendDocument(document, input, { type, cacheControl }))
}

/** A file of Swagger UI from `npm run build`, read when the page is first opened. */
function referenceFile(name: string): BuiltFile {
  return builtFile(name, () => readFile(join(packageRoot(), 'dist/bundle', name)))
}

const guidePage = 'problems'

/**
 * The page that the `type` of every problem links to, so that the link works on every installation. Browsers, which
 * cannot render Markdown, are redirected to the page of the guide.
 */
export function problemsPage(guide: GuideFiles): Operation<typeof problemsPageContract> {
  const markdown = readFileSync(`${packageRoot()}/docs/problems.md`, 'utf8')
  const document = staticDocument(() => markdown)
  return operation(problemsPageContract, async (input) => {
    addVary(input.reply, 'Accept')
    const wanted = chooseType(input.request.headers.accept, ['text/markdown', 'text/html'])
    if (wanted === 'text/html' && guide.has(guidePage)) return input.reply.redirect(`/docs/guide/${guidePage}`, 303)
    return sendDocument(document, input, { type: 'text/markdown; charset=utf-8', cacheControl: 'public, max-age=300' })
  })
}

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
