import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const folder = fileURLToPath(new URL('../../.github', import.meta.url))
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yml'))

interface Workflow {
  readonly on: object
  readonly permissions: object
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >
}

test('CI runs .ci/run for pushes and pull requests, with read-only permissions and actions pinned by commit', () => {
  const workflow: Workflow = parse(readFileSync(join(folder, 'workflows/ci.yml'), 'utf8'))
  expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request'])
  expect(workflow.permissions).toEqual({ contents: 'read' })
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)
  expect(steps.map(({ run }) => run)).toContain('bash .ci/run')
  for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
})

test.each(files)('%s is valid YAML', (file) => {
  expect(() => parse(readFileSync(join(folder, file), 'utf8'))).not.toThrow()
})
