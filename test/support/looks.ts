import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFaults } from './axe.ts'

/** No fault that axe finds, and nothing wider than the window, on a desk and on a small phone. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
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

/** For people to look at, in the folder that `MUSTER_TEST_SCREENSHOTS` names. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.MUSTER_TEST_SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
