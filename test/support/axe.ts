import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(
  createRequire(new URL('../../tools/package.json', import.meta.url)).resolve('axe-core'),
  'utf8',
)

/** Rules of axe that the page breaks, with the elements. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  return page.evaluate<readonly string[]>(
    `axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`,
  )
}
