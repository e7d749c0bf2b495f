import { readFileSync } from 'node:fs'
import { type Operation, operation } from '../identity/operation.ts'
import { packageRoot } from '../platform/package-root.ts'
import { problemsPageContract } from './contract.ts'

/** The page that the `type` of every problem links to, so that the link holds wherever the service runs. */
export function problemsPage(): Operation<typeof problemsPageContract> {
  const markdown = readFileSync(`${packageRoot()}/docs/problems.md`, 'utf8')
  return operation(problemsPageContract, async ({ reply }) => {
    reply.type('text/markdown; charset=utf-8').header('cache-control', 'public, max-age=300')
    return markdown
  })
}
