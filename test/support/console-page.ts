import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { serviceOrigin } from '../browser/app-page.ts'
import type { Chromium, PageOptions } from './browser.ts'
import type { Person } from './service.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

export async function openConsole(chromium: Chromium, path = '/', options: PageOptions = {}): Promise<Page> {
  const page = await chromium.newPage({ locale: 'en-GB', ...options })
  await page.goto(`${serviceOrigin}${path}`)
  return page
}

/** A page of the console with a person signed in; its texts are English. */
export async function signedInConsole(
  chromium: Chromium,
  { email, password }: Pick<Person, 'email' | 'password'>,
  path = '/',
  options: PageOptions = {},
): Promise<Page> {
  const page = await openConsole(chromium, path, options)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
  return page
}

export const consoleHeading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor()

/** At both widths the screen breaks no rule of axe and is not wider than the window. */
export async function expectFitAndAccessible(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  for (const width of [1_280, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await consoleScreenshot(page, `${name}-${width}`)
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  }
}

/** Rules of axe that the page breaks, with the elements. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  return page.evaluate<readonly string[]>(
    `axe.run().then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`,
  )
}

/** For people to look at, in the folder that `MUSTER_TEST_SCREENSHOTS` names. */
export async function consoleScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.MUSTER_TEST_SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `console-${name}.png`), fullPage: true })
}
