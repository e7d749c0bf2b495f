import type { Page } from 'playwright-core'
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

/**
 * Types into the search of the users, by the keyboard, and waits for the rows of the whole text. Those of what was typed before give way to
 * them, also where they are the same users, and nobody is chosen then.
 */
export async function searchUsers(page: Page, text: string): Promise<void> {
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('q') === text)
  await page.keyboard.press('/')
  await page.keyboard.type(text)
  await asked
  await page.locator('table.users[aria-busy=false]').waitFor()
}
