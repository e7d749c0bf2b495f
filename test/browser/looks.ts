import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** Nothing is cut off and axe finds no fault, wide and at 320 pixels. Keeps a picture of each where `MUSTER_TEST_SCREENSHOTS` names a folder. */
export async function expectFitAndAccessible(page: Page, name: string): Promise<void> {
  for (const width of [1_280, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await screenshot(page, `${name}-${width}`)
    expect(await axeFaults(page), name).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
  }
}

/** Nothing is cut off where a reader spreads the text out (WCAG 1.4.12). */
export async function expectTextToSpread(page: Page): Promise<void> {
  await page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }')
    document.adoptedStyleSheets = [sheet]
  }`)
  const cutOff = `[...document.querySelectorAll('body *')].filter((one) => one.scrollWidth > one.clientWidth + 1
    && getComputedStyle(one).overflowX !== 'visible' && !one.matches('.hidden, input, select, .skip')).map((one) => one.outerHTML)`
  expect(await page.evaluate(cutOff)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
}

/** Rules of axe that the page breaks, with the elements. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  return page.evaluate<readonly string[]>(
    `axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`,
  )
}

/** For people to look at, in the folder that `MUSTER_TEST_SCREENSHOTS` names. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.MUSTER_TEST_SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
