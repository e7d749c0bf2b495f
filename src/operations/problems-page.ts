import { readFileSync } from 'node:fs'
import { problemsPageContract } from '../contract/documents.ts'
import { packageRoot } from '../package-root.ts'
import { type Operation, operation } from '../server/operation.ts'

/** The page that the `type` of every problem links to, so that the link holds wherever the service runs. */
export function problemsPage(): Operation {
  const markdown = readFileSync(`${packageRoot()}/docs/problems.md`, 'utf8')
  return operation(problemsPageContract, async ({ reply }) => {
    reply.type('text/markdown; charset=utf-8').header('cache-control', 'public, max-age=300')
    return markdown
  })
}
