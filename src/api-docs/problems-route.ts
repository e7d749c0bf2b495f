import { readFileSync } from 'node:fs'
import { type Operation, operation } from '../identity/operation.ts'
import { chooseType } from '../platform/http/accept.ts'
import { sendDocument, staticDocument } from '../platform/http/static-document.ts'
import { addVary } from '../platform/http/vary.ts'
import { packageRoot } from '../platform/package-root.ts'
import { problemsPageContract } from './contract.ts'
import type { GuideFiles } from './guide-files.ts'

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
    return sendDocument(document, input, {
      type: 'text/markdown; charset=utf-8',
      cacheControl: 'public, max-age=300',
    })
  })
}
