import { readFileSync } from 'node:fs'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { consoleAt, heading } from '../support/console.ts'
import { expectAccessible, screenshot } from '../support/looks.ts'
import type { Person, Service } from '../support/service.ts'
import { startIssuer } from '../support/test-client.ts'
import { serviceOrigin } from './app-page.ts'

const people = 650

describe.skipIf(isWithoutBrowser)('the list of people, in Chromium', () => {
  let service: Service
  let chromium: Chromium
  let admin: Person
  beforeAll(async () => {
    service = await startIssuer({ env: { MUSTER_PUBLIC_URL: serviceOrigin } })
    await service.sql(
      `insert into account (email, role_id, created_at)
       select 'person-' || lpad(n::text, 4, '0') || '@list.example', 'user', timestamptz '2026-01-01' + n * interval '1 minute'
       from generate_series(1, ${people}) n`,
    )
    admin = await service.person({ role: 'admin', email: 'admin@desk.example' })
    chromium = await startChromium({ [serviceOrigin]: service.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await service?.stop()
  })

  const { signedIn } = consoleAt(serviceOrigin, () => chromium)

  const listed = '/#/users?q=list.example&sort=email'
  const row = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })
  const emailOf = (n: number) => `person-${String(n).padStart(4, '0')}@list.example`
  const shown = (page: Page) => page.locator('.user-link').allTextContents()
  const disabled = async (...emails: readonly string[]) =>
    (
      await service.sql<{ email: string }>(
        'select email from account where disabled_at is not null and email = any ($1) order by email',
        [emails],
      )
    ).map(({ email }) => email)

  /** To the end, a window at a time, as often as it takes; what was in the page on the way. */
  async function scrollThrough(page: Page): Promise<{ readonly seen: Set<string>; readonly rowsMax: number }> {
    const seen = new Set<string>()
    let rowsMax = 0
    for (let isEnd = false; !isEnd; ) {
      const rows = await shown(page)
      expect(new Set(rows).size).toBe(rows.length)
      for (const email of rows) seen.add(email)
      rowsMax = Math.max(rowsMax, await page.locator('.users tbody tr').count())
      isEnd = rows.includes(emailOf(people))
      await page.evaluate('scrollBy(0, innerHeight)')
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    }
    return { seen, rowsMax }
  }

  test('all people are reached by scrolling, none is missing, and never are more than 60 rows in the page', async () => {
    const page = await signedIn(admin, listed)
    await row(page, emailOf(1)).waitFor()
    const table = page.getByRole('table')
    expect(await table.getAttribute('aria-rowcount')).toBe('-1')
    expect(await row(page, emailOf(1)).getAttribute('aria-rowindex')).toBe('2')
    const { seen, rowsMax } = await scrollThrough(page)
    expect([...seen].sort()).toEqual(Array.from({ length: people }, (_, n) => emailOf(n + 1)))
    // Two more hold the place of those that are not in the page.
    expect(rowsMax).toBeLessThanOrEqual(62)
    expect(await table.getAttribute('aria-rowcount')).toBe(String(people + 1))
    expect(await row(page, emailOf(people)).getAttribute('aria-rowindex')).toBe(String(people + 1))
    await page.setViewportSize({ width: 1_280, height: 1_600 })
    await expect.poll(() => page.locator('.users tbody tr').count()).toBeLessThanOrEqual(62)
  })

  test('back from a person the list is where it was left, and the person has the focus', async () => {
    const page = await signedIn(admin, listed)
    await row(page, emailOf(1)).waitFor()
    for (let times = 0; times < 12; times += 1) {
      await page.evaluate('scrollBy(0, innerHeight)')
      await page.waitForTimeout(50)
    }
    const [, , , , wanted = ''] = await shown(page)
    const link = page.getByRole('link', { name: wanted })
    await link.scrollIntoViewIfNeeded()
    await expect.poll(() => page.getByText('is being read').count()).toBe(0)
    const top = await page.evaluate('scrollY')
    for (const back of ['Escape', 'link', 'button'] as const) {
      await link.click()
      await heading(page, wanted)
      if (back === 'Escape') await page.keyboard.press('Escape')
      else if (back === 'link') await page.getByRole('main').getByRole('link', { name: 'People' }).click()
      else await page.goBack()
      await heading(page, 'People')
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(wanted)
      await expect.poll(() => page.evaluate('scrollY')).toBe(top)
      expect(new URL(page.url()).hash).toContain('q=list.example')
    }
  })

  test('a page in the middle that could not be read is named in its place, and read there again', async () => {
    const page = await signedIn(admin, listed, { expected: [/status of 500/] })
    await row(page, emailOf(1)).waitFor()
    const ofLaterPages = (url: URL) => url.searchParams.has('cursor')
    const instance = 'urn:uuid:00000000-0000-4000-8000-00000000f00d'
    const problem = { type: 'about:blank', title: 'The service failed.', status: 500, code: 'internal_error', instance }
    await page.route(ofLaterPages, (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.getByText('These people were not read.').waitFor()
    await page.getByText('00000000-0000-4000-8000-00000000f00d').waitFor()
    expect(await page.getByText(/No person fits|no people yet/).count()).toBe(0)
    await screenshot(page, 'users-page-failed')
    expect(await shown(page)).toContain(emailOf(200))
    await page.unroute(ofLaterPages)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await row(page, emailOf(201)).waitFor()
  })

  test('users added or deleted while the list is read do not make others appear twice or get lost', async () => {
    const page = await signedIn(admin, listed)
    await row(page, emailOf(1)).waitFor()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await row(page, emailOf(201)).waitFor()
    const [added] = await service.sql<{ id: string }>(
      `insert into account (email, role_id) values ('person-0002b@list.example', 'user') returning id`,
    )
    await service.sql('update account set email = $1 where email = $2', ['z@gone.example', emailOf(199)])
    // After every change of this page, what is in sight is read anew.
    await page.locator('.users tbody input[type=checkbox]').first().click()
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await page.getByText('were so already').waitFor()
    await page.getByRole('button', { name: 'Close the report' }).click()
    await page.evaluate('scrollTo(0, 0)')
    await row(page, 'person-0002b@list.example').waitFor()
    const { seen } = await scrollThrough(page)
    await service.sql('update account set email = $1 where email = $2', [emailOf(199), 'z@gone.example'])
    await service.sql('delete from account where id = $1', [added?.id])
    const others = Array.from({ length: people }, (_, n) => emailOf(n + 1)).filter((email) => email !== emailOf(199))
    expect([...seen].sort()).toEqual([...others, 'person-0002b@list.example'].sort())
  })

  test('selected people are disabled one by one; what failed is named with its request, and the rest can be undone', async () => {
    const page = await signedIn(admin, listed)
    await row(page, emailOf(10)).waitFor()
    await row(page, emailOf(10)).getByRole('checkbox').click()
    await row(page, emailOf(13))
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await page.getByText('4 selected').waitFor()
    await screenshot(page, 'users-selected')
    // One is changed meanwhile by another administrator, another is a colleague who may do more.
    await service.sql(`insert into role (id, name) values ('support', 'Support') on conflict do nothing`)
    await service.sql(`update account set role_id = 'support' where email = $1`, [emailOf(11)])
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('3 of 4 were disabled').waitFor()
    await page.getByText('Was changed meanwhile, and not touched now.').waitFor()
    await screenshot(page, 'users-report')
    await page.getByText('1 selected').waitFor()
    const all = [10, 11, 12, 13].map(emailOf)
    expect(await disabled(...all)).toEqual([10, 12, 13].map(emailOf))
    await row(page, emailOf(12)).getByText('disabled').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('3 of 3 were enabled').waitFor()
    expect(await disabled(...all)).toEqual([])
    await service.sql(`update account set role_id = 'user' where email = $1`, [emailOf(11)])
  })

  test('what is done with many people goes on, and is reported, while another list is opened', async () => {
    const page = await signedIn(admin, listed)
    await row(page, emailOf(6)).getByRole('checkbox').click()
    await row(page, emailOf(9))
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    const held: Route[] = []
    const release = async (route: Route) => route.continue()
    await page.route('**/disable', (route) => void held.push(route))
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('0 of 4').waitFor()
    const search = page.getByLabel('Part of the name or e-mail address')
    await search.fill(emailOf(40))
    await row(page, emailOf(40)).waitFor()
    await page.getByText('0 of 4').waitFor()
    await search.fill('nobody.has.this')
    await page.getByText('No person fits these filters.').waitFor()
    await page.route('**/disable', release)
    await Promise.all(held.map(release))
    await page.getByText('4 of 4 were disabled').waitFor()
    expect(await disabled(...[6, 7, 8, 9].map(emailOf))).toEqual([6, 7, 8, 9].map(emailOf))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('4 of 4 were enabled').waitFor()
    expect(await disabled(...[6, 7, 8, 9].map(emailOf))).toEqual([])
  })

  test('a refusal has its sentence and its request id; people who are so already are told apart', async () => {
    const page = await signedIn(admin, '/#/users?q=desk.example', { expected: [/status of 409/] })
    await row(page, admin.email).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await page.getByText('0 of 1 were enabled. 1 were so already.').waitFor()
    await page.getByRole('button', { name: 'Close the report' }).click()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('0 of 1 were disabled').waitFor()
    await page.getByRole('region', { name: 'The people who are selected' }).getByText('Request').waitFor()
    expect(await disabled(admin.email)).toEqual([])
  })

  test('a role is given to many and taken back; sessions are ended after a question', async () => {
    await service.sql(`insert into role (id, name) values ('support', 'Support') on conflict do nothing`)
    const page = await signedIn(admin, listed)
    await row(page, emailOf(20)).getByRole('checkbox').click()
    await row(page, emailOf(21)).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Change the role' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Role').selectOption('support')
    await dialog.getByRole('button', { name: 'Change the role' }).click()
    await page.getByText('2 of 2 have the role support now.').waitFor()
    const roles = async () =>
      (
        await service.sql<{ role: string }>('select role_id as role from account where email = any ($1)', [
          [emailOf(20), emailOf(21)],
        ])
      ).map(({ role }) => role)
    expect(await roles()).toEqual(['support', 'support'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 of 2 have the role user now.').waitFor()
    expect(await roles()).toEqual(['user', 'user'])
    await page.getByRole('button', { name: 'Close the report' }).click()

    await row(page, emailOf(20)).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'End all sessions' }).click()
    await dialog.getByText(`End all sessions of ${emailOf(20)}?`).waitFor()
    await dialog.getByRole('button', { name: 'End all sessions' }).click()
    await page.getByText('All sessions of 1 of 1 were ended.').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  test('a service that does not answer ends the run, and what was not tried stays selected', async () => {
    const page = await signedIn(admin, listed, { expected: [/ERR_FAILED/] })
    await row(page, emailOf(14)).getByRole('checkbox').click()
    await row(page, emailOf(17))
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    let calls = 0
    await page.route('**/disable', (route) => {
      calls += 1
      return calls > 1 ? route.abort() : route.continue()
    })
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('1 of 4 were disabled').waitFor()
    await page.getByText('2 were not tried.').waitFor()
    await page.getByText('3 selected').waitFor()
    expect(await disabled(...[14, 15, 16, 17].map(emailOf))).toEqual([emailOf(14)])
    await page.unroute('**/disable')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 of 1 were enabled').waitFor()
  })

  test('the keyboard moves through the list, selects, and opens', async () => {
    const page = await signedIn(admin, listed)
    await row(page, emailOf(1)).waitFor()
    for (const key of ['j', 'j', 'j', 'k', 'x']) await page.keyboard.press(key)
    const focused = () => page.evaluate('document.activeElement.textContent')
    expect(await focused()).toBe(emailOf(2))
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1 selected').waitFor({ state: 'detached' })
    for (let times = 0; times < 60; times += 1) await page.keyboard.press('j')
    await expect.poll(focused).toBe(emailOf(62))
    await page.keyboard.press('Enter')
    await heading(page, emailOf(62))
  })

  test('how many fit is asked on request alone; the filtered list is downloaded as CSV, and a cancel saves nothing', async () => {
    const page = await signedIn(admin, '/#/users?q=list.example&emailProved=%22false%22')
    await row(page, emailOf(people)).waitFor()
    const counts: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('count=exact')) counts.push(request.url())
    })
    await page.getByRole('button', { name: 'Count' }).click()
    await page.getByText(`${people} people fit`).waitFor()
    expect(counts).toHaveLength(1)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const text = readFileSync(await (await saved).path(), 'utf8')
    expect(text.trimEnd().split('\n')).toHaveLength(people + 1)
    expect(text.startsWith('\u{FEFF}id,')).toBe(true)
    expect(text).not.toContain(admin.email)

    await page.getByLabel('Address', { exact: true }).selectOption('proved')
    await page.getByText('No person fits these filters.').waitFor()
    expect(await page.getByText('people fit').count()).toBe(0)
    expect(new URL(page.url()).hash).toContain('emailProved')
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await row(page, admin.email).waitFor()

    await page.route('**/users/fetch**', () => {})
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    await page.getByRole('button', { name: 'Cancel the download' }).click()
    await page.getByText('The download was cancelled: nothing was saved.').waitFor()
  })

  test('a list in pages is remembered, and so are dense rows', async () => {
    const page = await signedIn(admin, listed)
    await page.getByRole('button', { name: 'Show as pages' }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await row(page, emailOf(51)).waitFor()
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBeNull()
    const before = await row(page, emailOf(52)).boundingBox()
    await page.getByRole('button', { name: 'Compact rows' }).click()
    expect((await row(page, emailOf(52)).boundingBox())?.height).toBeLessThan(before?.height ?? 0)
    await page.reload()
    await row(page, emailOf(51)).waitFor()
    await page.getByRole('button', { name: 'Comfortable rows' }).waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await row(page, emailOf(1)).waitFor()
    await page.getByRole('button', { name: 'Show as one list' }).click()
    await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('-1')
  })

  test('whoever may not list people is told which permission is missing, and not that there are none', async () => {
    const page = await signedIn(await service.person(), '/#/users')
    await page.getByText('The list of people was not read. Your role does not include users:list.').waitFor()
    expect(await page.getByText(/no people yet|No person fits/).count()).toBe(0)
  })

  test('actions that a role does not include are not there, and the page says which permission is missing', async () => {
    await service.sql(`insert into role (id, name) values ('reader', 'Reader') on conflict do nothing`)
    await service.sql(
      `insert into role_grant (role_id, resource, action) values ('reader', 'users', 'list'), ('reader', 'users', 'read') on conflict do nothing`,
    )
    const page = await signedIn(await service.person({ role: 'reader' }), listed)
    await row(page, emailOf(1)).getByRole('checkbox').click()
    await page.getByText('Your role does not include users:disable.').waitFor()
    expect(await page.getByRole('button', { name: 'Disable', exact: true }).count()).toBe(0)
  })

  test('an address that looks like markup is shown as text', async () => {
    const markup = `<img/src=x/onerror=document.title='taken'>@list.example`
    const [made] = await service.sql<{ id: string }>(
      `insert into account (email, role_id) values ($1, 'user') returning id`,
      [markup],
    )
    const page = await signedIn(admin, '/#/users?q=onerror')
    await row(page, markup).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'End all sessions' }).click()
    await page.getByRole('alertdialog').getByText(markup).waitFor()
    expect(await page.locator('main img, [role=alertdialog] img').count()).toBe(0)
    expect(await page.title()).not.toBe('taken')
    await service.sql('delete from account where id = $1', [made?.id])
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    test('the list with selected people has no fault that axe finds, also at 320 pixels', async () => {
      const page = await signedIn(admin, listed, { colorScheme })
      await row(page, emailOf(3)).getByRole('checkbox').click()
      await page.getByText('1 selected').waitFor()
      await expectAccessible(page, `users-list-${colorScheme}`)
    })
  })
})
