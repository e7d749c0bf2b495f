import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults } from '../support/axe.ts'
import { type Chromium, type PageOptions, type StaticSite, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import type { Person, Service } from '../support/service.ts'
import { codeAt, enrol, laterCode, newClient, startIssuer } from '../support/test-client.ts'
import { listedOrigin, plugInAuthenticator, runInApp, serveApp, serviceOrigin } from './app-page.ts'

const newPassword = 'seventeen small turtles'
const invalidLink = /status of 400/

describe.skipIf(isWithoutBrowser)('the page that links lead to, in Chromium', () => {
  let service: Service
  let app: StaticSite
  let chromium: Chromium
  let admin: Person
  beforeAll(async () => {
    service = await startIssuer({
      env: {
        MUSTER_PUBLIC_URL: serviceOrigin,
        MUSTER_WEBAUTHN_ORIGINS: `${serviceOrigin}, ${listedOrigin}`,
        MUSTER_ALLOWED_ORIGINS: listedOrigin,
      },
    })
    admin = await service.person({ role: 'admin' })
    app = await serveApp()
    chromium = await startChromium({ [serviceOrigin]: service.url, [listedOrigin]: app.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await app?.close()
    await service?.stop()
  })

  async function linkFor({ id }: Pick<Person, 'id'>, body: object = {}): Promise<string> {
    const headers = { 'if-match': '*' }
    const answer = await service.post(`/api/v1/admin/users/${id}/recovery`, { token: admin.token, headers, body })
    expect(answer.status, answer.text).toBe(201)
    return (answer.body as { link: string }).link
  }

  async function open(link: string, options: PageOptions = {}): Promise<Page> {
    const page = await chromium.newPage(options)
    await page.goto(link)
    return page
  }

  const form = (page: Page) => page.locator('#form').waitFor()
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()
  const signIn = async (email: string, password: string) => (await newClient(service).signIn(email, password)).status

  /** What has the focus, by its id; the outline shows where that is. */
  async function focused(page: Page): Promise<string> {
    const [id, outline] = await page.evaluate<[string, string]>(
      '[document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]',
    )
    expect(outline, id).not.toBe('none')
    return id
  }

  test('opened and prefetched, a link stays good; by the keyboard alone it sets one password, and then no other', async () => {
    const person = await service.person()
    const link = await linkFor(person)
    const [, token = ''] = /#token=([^&]+)/.exec(link) ?? []
    for (let times = 1; times <= 3; times += 1) await form(await open(link))
    // The browser fetches the page, and keeps it from the page of another origin.
    const mail = await open(listedOrigin, { expected: [/NotSameOrigin/] })
    const fetched = mail.waitForEvent('requestfailed', (request) =>
      request.url().startsWith(`${serviceOrigin}/auth/link`),
    )
    await mail.evaluate(
      `document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: ${JSON.stringify(link)} }))`,
    )
    await fetched

    const page = await open(link)
    await form(page)
    expect(page.url()).toBe(`${serviceOrigin}/auth/link`)
    expect(await page.content()).not.toContain(token)
    expect(await focused(page)).toBe('password')
    await page.keyboard.type(newPassword)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('show')
    await page.keyboard.press('Space')
    expect(await page.locator('#password').getAttribute('type')).toBe('text')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('submit')
    await page.keyboard.press('Enter')
    await heading(page, 'The password is changed')
    expect(await page.locator('#password').inputValue()).toBe('')
    expect(await signIn(person.email, newPassword)).toBe(200)
    expect((await service.get('/api/v1/user/data', { token: person.token })).status).toBe(401)

    await heading(await open(link, { expected: [invalidLink] }), 'This link is no longer valid')
  })

  test('a wrong code is said to the user, where it can be corrected, and the right one sets the password', async () => {
    const person = await service.person()
    const { secret } = await enrol(service, person.token, { password: person.password })
    laterCode(service)
    const page = await open(await linkFor(person), { expected: [/status of 403/] })
    await form(page)
    const right = codeAt(secret, service.clock.now())
    await page.keyboard.type(newPassword)
    await page.getByLabel('Code', { exact: true }).fill(right === '123456' ? '654321' : '123456')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'The code is wrong or was already used' }).waitFor()
    expect(await focused(page)).toBe('code')
    expect(await page.locator('#code').getAttribute('aria-invalid')).toBe('true')
    await page.locator('#code').fill(right)
    await page.keyboard.press('Enter')
    await heading(page, 'The password is changed')
    expect(await service.sql('select 1 from account_link where account_id = $1', [person.id])).toEqual([])
  })

  test('a passkey of the account proves that a new password may be set', async () => {
    const person = await service.person()
    const page = await chromium.newPage()
    await page.goto(listedOrigin)
    await plugInAuthenticator(page)
    expect(await runInApp(page, 'addPasskey', person.token)).toMatchObject({ status: 201 })
    await page.goto(await linkFor(person))
    await form(page)
    expect(await page.locator('#factor option').allTextContents()).toEqual(['Passkey (Laptop)', 'Use a recovery code'])
    await page.keyboard.type(newPassword)
    await page.keyboard.press('Enter')
    await heading(page, 'The password is changed')
    expect(await service.sql('select 1 from account_link where account_id = $1', [person.id])).toEqual([])
  })

  test.each([
    ['light', 320],
    ['dark', 360],
    ['light', 1280],
  ] as const)(
    '%s, %i px wide: nothing is cut off, and axe finds no fault in anything that the page shows',
    async (colorScheme, width) => {
      const person = await service.person({ email: `${'long.'.repeat(12)}${width}@example.com` })
      await enrol(service, person.token, { password: person.password, friendlyName: 'A'.repeat(100) })
      const reset = await linkFor(person, { resetFactors: true })
      const link = await linkFor(person)
      const page = await chromium.newPage({
        colorScheme,
        viewport: { width, height: 640 },
        expected: [/status of 40[03]/],
      })
      const look = async (name: string) => {
        await screenshot(page, `${name}-${colorScheme}-${width}`)
        const scrolled = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
        expect(await page.evaluate<number>(scrolled), name).toBeLessThanOrEqual(0)
        expect(await axeFaults(page), name).toEqual([])
      }
      await page.goto(link)
      await form(page)
      await look('form')
      await page.keyboard.type('password')
      await page.getByLabel('Code', { exact: true }).fill('123456')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
      await look('fault')
      await page.locator('#factor').selectOption('recovery-code')
      await look('recovery-code')
      await openAnew(page, reset)
      await form(page)
      await look('reset')
      await page.keyboard.type(newPassword)
      await page.keyboard.press('Enter')
      await heading(page, 'The password is changed')
      await look('done')
      await openAnew(page, link)
      await heading(page, 'This link is no longer valid')
      await look('invalid')
      await openAnew(page, `${serviceOrigin}/auth/link`)
      await heading(page, 'This page needs a link')
      await look('without-link')
    },
  )
})

/** Of two addresses that differ behind `#` only, the browser would stay on the page. */
async function openAnew(page: Page, address: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(address)
}

/** For people to look at, in the folder that `MUSTER_TEST_SCREENSHOTS` names. */
async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.MUSTER_TEST_SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `link-${name}.png`), fullPage: true })
}
