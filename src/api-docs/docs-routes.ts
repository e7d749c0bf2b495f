import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Operation, operation } from '../identity/operation.ts'
import { type BuiltFile, builtFile } from '../platform/http/built-file.ts'
import { pageHeaders } from '../platform/http/default-headers.ts'
import { sendDocument } from '../platform/http/static-document.ts'
import { packageRoot } from '../platform/package-root.ts'
import { docsPageContract, docsScriptContract, docsStyleContract } from './contract.ts'

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
