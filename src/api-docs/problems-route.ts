import { readFileSync } from 'node:fs'
import { type Operation, operation } from '../identity/operation.ts'
import { type StaticDocument, sendDocument, staticDocument } from '../platform/http/static-document.ts'
import { packageRoot } from '../platform/package-root.ts'
import { problemsPageContract } from './contract.ts'

/** The page that the `type` of every problem links to, so that the link holds wherever the service runs. */
export function problemsPage(): Operation<typeof problemsPageContract> {
  const markdown = readFileSync(`${packageRoot()}/docs/problems.md`, 'utf8')
  let document: Promise<StaticDocument> | undefined
  return operation(problemsPageContract, async (input) => {
    document ??= staticDocument(markdown)
    return sendDocument(await document, input, {
      type: 'text/markdown; charset=utf-8',
      cacheControl: 'public, max-age=300',
    })
  })
}
