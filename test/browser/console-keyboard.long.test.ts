import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CloudflareSimulator, startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples } from '../../simulators/cloudflare/state.ts'
import { type Chromium, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { consoleAt, heading, searchUsers } from '../support/console.ts'
import { expectAccessible, screenshot } from '../support/looks.ts'
import type { Person, Service } from '../support/service.ts'
import { startIssuer } from '../support/test-client.ts'
import { serviceOrigin } from './app-page.ts'

describe.skipIf(isWithoutBrowser)('the console by the keyboard, in Chromium', () => {
  let service: Service
  let simulator: CloudflareSimulator
  let chromium: Chromium
  let admin: Person
  beforeAll(async () => {
    simulator = await startCloudflareSimulator()
    const env = { MUSTER_PUBLIC_URL: serviceOrigin, MUSTER_CLOUDFLARE_URL: simulator.url }
    service = await startIssuer({ env })
    admin = await service.person({ role: 'admin', email: 'root@keyboard.example' })
    chromium = await startChromium({ [serviceOrigin]: service.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await service?.stop()
    await simulator?.close()
  })

  const { open, signedIn } = consoleAt(serviceOrigin, () => chromium)

  const isFocused = async (locator: Locator) => (await locator.and(locator.page().locator(':focus')).count()) === 1

  /** By Tab alone, as often as someone would press it. */
  async function tabTo(page: Page, locator: Locator): Promise<void> {
    await locator.waitFor()
    for (let times = 0; times < 60; times += 1) {
      if (await isFocused(locator)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${locator}.`)
  }

  async function press(page: Page, ...keys: readonly string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key)
  }

  /** Opens the palette, types, waits for the entry and takes it. */
  async function goTo(page: Page, typed: string, entry: string | RegExp): Promise<void> {
    await press(page, 'Control+k')
    const palette = page.getByRole('dialog', { name: 'Go to' })
    await expect.poll(() => isFocused(palette.getByRole('combobox'))).toBe(true)
    await page.keyboard.type(typed)
    await palette.getByRole('option', { name: entry }).and(page.locator('[data-highlighted]')).waitFor()
    await press(page, 'Enter')
  }

  test('ten tasks of an administrator need no mouse', async () => {
    const person = await service.person({ email: 'by.keyboard@tasks.example' })
    await service.sql(`insert into role (id, name) values ('support', 'Support') on conflict do nothing`)
    const page = await open('/')
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    const focusIsVisible = async () =>
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none')

    // 1. Sign in.
    await tabTo(page, page.getByLabel('E-mail address'))
    await page.keyboard.type(admin.email)
    await tabTo(page, page.getByLabel('Password'))
    await page.keyboard.type(admin.password)
    await press(page, 'Enter')
    await heading(page, 'People')

    // 2. Find a person.
    await searchUsers(page, 'by.keyboard')
    expect(await page.locator('.user-link').allTextContents()).toEqual([person.email])
    await press(page, 'ArrowDown')
    expect(await isFocused(page.getByRole('link', { name: person.email }))).toBe(true)
    await focusIsVisible()

    // 3. Disable them from the list, and undo it.
    await press(page, 'x')
    await tabTo(page, button(/^Disable$/))
    await press(page, 'Enter')
    await page.getByText('1 of 1 were disabled').waitFor()
    await tabTo(page, button('Undo'))
    await press(page, 'Enter')
    await page.getByText('1 of 1 were enabled').waitFor()

    // 4. Open them and change their role.
    await press(page, '/', 'ArrowDown', 'Enter')
    await heading(page, person.email)
    await tabTo(page, page.getByLabel('Role'))
    await page.keyboard.type('support')
    await tabTo(page, button('Change the role'))
    await press(page, 'Enter')
    await page.getByText(`The role of ${person.email} is support.`).waitFor()

    // 5. Back to the list, which is as it was.
    await press(page, 'Escape')
    await heading(page, 'People')
    await expect.poll(() => isFocused(page.getByRole('link', { name: person.email }))).toBe(true)

    // 6. Check a key of a provider.
    await goTo(page, 'cloudfl', 'Cloudflare')
    await heading(page, 'Check a key')
    await tabTo(page, page.locator('input[type=password]').first())
    await page.keyboard.type(samples.userToken)
    await press(page, 'Enter')
    await page.getByText('The Cloudflare API token is valid and active').waitFor()

    // 7. Make an organisation.
    await tabTo(page, button(/^Go to/))
    await press(page, 'g', 'o')
    await heading(page, 'Organisations')
    await tabTo(page, page.getByLabel('Name', { exact: true }))
    await page.keyboard.type('Keyboard Works')
    await press(page, 'Enter')
    await tabTo(page, page.getByRole('link', { name: 'Keyboard Works', exact: true }))
    await press(page, 'Enter')
    await heading(page, 'Keyboard Works')

    // 8. Invite a member.
    await tabTo(page, button('Make an invitation'))
    await press(page, 'Enter')
    await page.getByText('It is shown once').waitFor()

    // 9. Look up in the audit trail what happened.
    await press(page, 'g', 'a')
    await heading(page, 'Audit')
    await press(page, '/')
    await page.keyboard.type('account.role_changed')
    await press(page, 'Enter')
    await page.getByRole('cell', { name: 'account.role_changed' }).first().waitFor()

    // 10. Sign out.
    await goTo(page, 'sign o', 'Sign out')
    await heading(page, 'Sign in to Muster')
  })

  test('the palette finds people on the service, and gives the focus back when it is closed', async () => {
    const person = await service.person({ email: 'deep.in.the.list@palette.example' })
    const page = await signedIn(admin, '/#/system')
    await heading(page, 'System')
    await tabTo(page, page.getByRole('link', { name: 'Audit' }))
    await press(page, 'Control+k')
    await page.getByRole('dialog', { name: 'Go to' }).waitFor()
    await screenshot(page, 'palette')
    await press(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(page.getByRole('link', { name: 'Audit' }))).toBe(true)
    await goTo(page, 'DEEP.in', person.email)
    await heading(page, person.email)
  })

  test('a search of people that fails is named, and screens are still found', async () => {
    const page = await signedIn(admin, '/#/system', { expected: [/ERR_FAILED/] })
    await heading(page, 'System')
    await page.route('**/api/v1/admin/users?**', (route) => route.abort())
    await press(page, 'Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).waitFor()
    await page.keyboard.type('audit')
    await page.getByText('The people were not searched.').waitFor()
    expect(await page.getByText('Nothing has this in its name.').count()).toBe(0)
    await press(page, 'Enter')
    await heading(page, 'Audit')
  })

  test('a user is offered what they may open, and nothing else', async () => {
    const page = await signedIn(await service.person({ email: 'plain@palette.example' }))
    await press(page, 'Control+k')
    await page.getByRole('option', { name: 'My account' }).waitFor()
    expect(await page.getByRole('option', { name: 'Audit' }).count()).toBe(0)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.keyboard.type('root@keyboard')
    await page.getByText('Nothing has this in its name.').waitFor()
    expect(asked.filter((url) => url.includes('/admin/'))).toEqual([])
  })

  test('letters that are typed into a field open no screen', async () => {
    const page = await signedIn(admin, '/#/users')
    await page.getByLabel('Part of the name or e-mail address').focus()
    await page.keyboard.type('go?x/')
    await heading(page, 'People')
    expect(await page.getByLabel('Part of the name or e-mail address').inputValue()).toBe('go?x/')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    test('the palette and the list of keys have no fault that axe finds, also at 320 pixels', async () => {
      const page = await signedIn(admin, '/#/system', { colorScheme, reducedMotion: 'reduce' })
      await heading(page, 'System')
      await press(page, 'Control+k')
      await page.getByRole('option').first().waitFor()
      await expectAccessible(page, `palette-${colorScheme}`)
      await press(page, 'Escape', '?')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      await expectAccessible(page, `keys-${colorScheme}`)
    })
  })
})
