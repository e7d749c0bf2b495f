import { fastify } from 'fastify'
import { type Operation, operation } from '../identity/operation.ts'
import { pageHeaders } from '../platform/http/default-headers.ts'
import { type StaticDocument, sendDocument, staticDocument } from '../platform/http/static-document.ts'
import { docsPageContract, docsScriptContract } from './contract.ts'

const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'bearer' },
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Muster: API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <script id="api-reference" data-url="/openapi.json" data-configuration='${JSON.stringify(configuration)}'></script>
    <script src="${docsScriptContract.path}"></script>
  </body>
</html>
`

/** Scalar uses inline styles, and evaluates no text as code. */
const sources = { 'style-src': "'self' 'unsafe-inline'", 'img-src': "'self' data:", 'font-src': "'self' data:" }

export function docsPage(): Operation<typeof docsPageContract> {
  return operation(docsPageContract, async ({ reply }) => {
    reply.type('text/html; charset=utf-8').headers(pageHeaders(sources))
    return page
  })
}

export function docsScript(): Operation<typeof docsScriptContract> {
  let script: Promise<StaticDocument> | undefined
  return operation(docsScriptContract, async (input) => {
    script ??= readScript().then(staticDocument)
    return sendDocument(await script, input, {
      type: 'text/javascript; charset=utf-8',
      cacheControl: 'public, max-age=3600',
    })
  })
}

/**
 * The package offers its script through a Fastify plugin only, so a server that never listens serves it here. The script has 4 MB and
 * loads slowly, so it is read when the page is first opened.
 */
async function readScript(): Promise<string> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const server = fastify()
  await server.register(reference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { body } = await server.inject('/docs/js/scalar.js')
  await server.close()
  return body
}
