import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { consoleAt, heading } from '../support/console.ts'
import { expectAccessible } from '../support/looks.ts'
import type { Person, Service } from '../support/service.ts'
import { startIssuer } from '../support/test-client.ts'
import { serviceOrigin } from './app-page.ts'

const events = 1_203

describe.skipIf(isWithoutBrowser)('the audit trail and organisations in the console, in Chromium', () => {
  let service: Service
  let chromium: Chromium
  let admin: Person
  beforeAll(async () => {
    service = await startIssuer({ env: { MUSTER_PUBLIC_URL: serviceOrigin } })
    await service.sql(
      `insert into audit_event (at, action, target_kind, target_id)
       select now() - interval '1 day' - n * interval '1 second', 'factor.added', 'factor', n::text
       from generate_series(1, ${events}) n`,
    )
    admin = await service.person({ role: 'admin', email: 'admin@audit.example' })
    chromium = await startChromium({ [serviceOrigin]: service.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await service?.stop()
  })

  const { signedIn } = consoleAt(serviceOrigin, () => chromium)

  test('events appear by themselves while the trail is watched, and none while it is paused; the address says which', async () => {
    const page = await signedIn(admin, '/#/audit?action=plan')
    await page.getByText('There is no event with these filters.').waitFor()
    const record = (target: string) =>
      service.sql(`insert into audit_event (action, target_kind, target_id) values ('plan.created', 'plan', $1)`, [
        target,
      ])
    await page.getByRole('button', { name: 'Watch live' }).click()
    await record('first-plan')
    await page.getByText('first-plan').waitFor()
    await record('second-plan')
    await page.getByText('second-plan').waitFor()
    await page.getByText('1 new events').waitFor()
    expect(new URL(page.url()).hash).toContain('live')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Watch live' }).waitFor()
    await record('third-plan')
    await page.waitForTimeout(4_000)
    expect(await page.getByText('third-plan').count()).toBe(0)
  })

  test('the filtered trail is downloaded whole, one event a line, and the end of the trail says why it ends', async () => {
    const page = await signedIn(admin, '/#/audit?action=factor.added')
    await page.getByRole('cell', { name: 'factor.added' }).first().waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download these events' }).click()
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trimEnd()
      .split('\n')
    const targets = lines.map((line) => Object(JSON.parse(line)).target.id)
    expect(targets).toEqual(Array.from({ length: events }, (_, n) => String(n + 1)))
    expect(await page.getByText(/have been removed/).count()).toBe(0)
    await page.goto(`${serviceOrigin}/#/audit?action=factor.removed`)
    await page.getByText(/^Events before .* have been removed\.$/).waitFor()
  })

  test('a download of which one page was not read saves nothing, and says so', async () => {
    const page = await signedIn(admin, '/#/audit?action=factor.added', { expected: [/ERR_FAILED/] })
    await page.getByRole('cell', { name: 'factor.added' }).first().waitFor()
    await page.route(
      (url) => url.searchParams.has('cursor'),
      (route) => route.abort(),
    )
    await page.getByRole('button', { name: 'Download these events' }).click()
    await page.getByText('Nothing was saved.').waitFor()
  })

  test('an invitation is a link that is shown once; opening it spends nothing, and accepting it makes a member', async () => {
    const owner = await service.person({ role: 'admin', email: 'owner@invite.example' })
    const guest = await service.person({ email: 'guest@invite.example' })
    const markup = `<img src=x onerror="document.title='taken'">`
    const page = await signedIn(owner, '/#/organizations')
    await page.getByLabel('Name', { exact: true }).fill(markup)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: markup, exact: true }).click()
    await heading(page, markup)
    await page.getByRole('button', { name: 'Make an invitation' }).click()
    const link = await page.locator('code', { hasText: '#/invitation?token=' }).innerText()
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
    expect(token.length).toBeGreaterThan(20)
    await page.reload()
    await heading(page, markup)
    expect(await page.content()).not.toContain(token)

    const invited = await signedIn(guest, new URL(link).hash.replace('#', '/#'))
    await heading(invited, 'Join an organisation')
    expect(invited.url()).not.toContain(token)
    expect(await service.sql('select from membership where account_id = $1', [guest.id])).toHaveLength(0)
    await invited.getByRole('button', { name: 'Join the organisation' }).click()
    await heading(invited, markup)

    await page.reload()
    await page.getByRole('button', { name: 'Transfer the organisation to guest@invite.example' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel(/^Type .* to confirm$/).fill(markup)
    await dialog.getByRole('button', { name: 'Transfer the organisation' }).click()
    await page.getByText('guest@invite.example is the owner of').waitFor()
    expect(
      await service.sql('select a.email, m.role_id from membership m join account a on a.id = m.account_id order by 1'),
    ).toEqual([
      { email: 'guest@invite.example', role_id: 'owner' },
      { email: 'owner@invite.example', role_id: 'member' },
    ])
    await page.getByRole('button', { name: /^Transfer/ }).waitFor({ state: 'detached' })
    expect(await page.title()).not.toBe('taken')
    expect(await page.locator('main img').count()).toBe(0)

    await service.sql('update organization set requires_mfa = true')
    await page.reload()
    await page.getByText('This organisation requires a second factor, and your session has none.').waitFor()
  })

  test.each(['light', 'dark'] as const)(
    'in %s the trail has no fault that axe finds, also at 320 pixels',
    async (colorScheme) => {
      const page = await signedIn(admin, '/#/audit?action=session&live=true', { colorScheme })
      await page.getByRole('cell', { name: 'session.opened' }).first().waitFor()
      await expectAccessible(page, `audit-live-${colorScheme}`)
    },
  )
})
