import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Chromium, PageOptions } from './browser.ts'
import type { Person } from './person.ts'

export type Credentials = Pick<Person, 'email' | 'password'>

/** The console of the service at an origin, as its users use it. */
export function consoleAt(origin: string, chromium: () => Chromium) {
  async function open(path = '/', options: PageOptions = {}): Promise<Page> {
    const page = await chromium().newPage({ locale: 'en-GB', ...options })
    await page.goto(`${origin}${path}`)
    return page
  }
  return {
    open,
    async signedIn(person: Credentials, path = '/', options: PageOptions = {}): Promise<Page> {
      const page = await open(path, options)
      await fillSignIn(page, person)
      await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
      return page
    },
  }
}

export async function fillSignIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()

/** No fault that axe finds, and nothing wider than the window, on a desk and on a small phone. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const width of [1_280, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await screenshot(page, `${name}-${width}`)
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** Rules of axe that the page breaks, with the elements. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  return page.evaluate<readonly string[]>(
    `axe.run().then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`,
  )
}

/** For people to look at, in the folder that `MUSTER_TEST_SCREENSHOTS` names. */
export async function screenshot(page: Page, name: string, fullPage = false): Promise<void> {
  const folder = process.env.MUSTER_TEST_SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `console-${name}.png`), fullPage })
}
