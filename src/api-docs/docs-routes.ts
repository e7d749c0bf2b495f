import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Operation, operation } from '../identity/operation.ts'
import { builtFile } from '../platform/http/built-file.ts'
import { pageHeaders } from '../platform/http/default-headers.ts'
import { sendDocument } from '../platform/http/static-document.ts'
import { packageRoot } from '../platform/package-root.ts'
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
  const { document, type } = builtFile('reference.js', () => readFile(builtScript()))
  return operation(docsScriptContract, (input) =>
    sendDocument(document, input, { type, cacheControl: 'public, max-age=3600' }),
  )
}

/** Where `npm run build` puts it. It has 4 MB, so it is read when the page is first opened. */
function builtScript(): string {
  return join(packageRoot(), 'dist/bundle/reference.js')
}
