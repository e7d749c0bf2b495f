import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribe } from '../support/billing-rows.ts'
import { type Chromium, type PageOptions, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { expectAccessible, expectTextToSpread } from '../support/looks.ts'
import {
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  startMailServer,
  tokenIn,
} from '../support/mail-server.ts'
import type { Person, Service } from '../support/service.ts'
import { codeAt, startIssuer } from '../support/test-client.ts'
import { serviceOrigin } from './app-page.ts'

describe.skipIf(isWithoutBrowser)('the own account in the console, in Chromium', () => {
  let mail: MailServer
  let service: Service
  let chromium: Chromium
  let admin: Person
  let work: MailWork
  beforeAll(async () => {
    mail = await startMailServer()
    service = await startIssuer({ env: { ...mailSettings(mail), MUSTER_PUBLIC_URL: serviceOrigin } })
    work = await mailWorkOf(service)
    admin = await service.person({ role: 'admin' })
    chromium = await startChromium({ [serviceOrigin]: service.url })
  })
  afterAll(async () => {
    await chromium?.close()
    work?.close()
    await service?.stop()
    await mail?.stop()
  })

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  async function typeSignIn(page: Page, { email, password }: Person): Promise<void> {
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(password)
    await press(page, 'Sign in')
  }

  async function signedIn(person: Person, path = '/#/me', options: PageOptions = {}): Promise<Page> {
    const page = await chromium.newPage({ locale: 'en-GB', ...options })
    await page.goto(serviceOrigin + path)
    await typeSignIn(page, person)
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
    return page
  }

  async function organizationOf(person: Person, name: string): Promise<string> {
    const [made] = await service.sql<{ id: string }>('insert into organization (name) values ($1) returning id', [name])
    const id = made?.id ?? ''
    await service.sql(`insert into membership (organization_id, account_id, role_id) values ($1, $2, 'owner')`, [
      id,
      person.id,
    ])
    return id
  }

  test('the QR code of a new app is what the app expects, and its first code finishes', async () => {
    const person = await service.person()
    const page = await signedIn(person)
    await press(page, 'Add an authenticator app')
    await page.getByLabel('Name of the app or phone').fill('Phone')
    await page.getByLabel('Your password', { exact: true }).fill(person.password)
    await press(page, 'Go on')
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    await expectAccessible(page, 'me-qr-code')
    const secret = await page.locator('form code').first().innerText()
    expect(await page.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href')).toContain(
      secret,
    )
    await page.getByLabel('First code of six digits').fill(codeAt(secret, service.clock.now()))
    await press(page, 'Finish')
    await page.getByText('10 recovery codes left').waitFor()
  })

  test('a change of address is shown while it waits for its links, and can be withdrawn', async () => {
    const person = await service.person()
    const page = await signedIn(person)
    await press(page, 'Change the address')
    await page.getByLabel('New e-mail address').fill('ada@new.example')
    await press(page, 'Mail the link')
    await page.getByText('A change of your address is open').waitFor()
    await page.getByText(/^It becomes ada@new.example when the links in both mails are used/).waitFor()
    await expectAccessible(page, 'me-address-open')
    await press(page, 'Keep the present address')
    await page.getByText('A change of your address is open').waitFor({ state: 'detached' })
    expect(await service.sql('select 1 from account_link where account_id = $1', [person.id])).toEqual([])
  })

  test('this device is marked among the known ones, and another one can be forgotten', async () => {
    const person = await service.person()
    const first = await signedIn(person, '/#/me', { userAgent: 'An old laptop' })
    await first.getByRole('heading', { name: 'Known devices' }).waitFor()
    const page = await signedIn(person)
    const devices = page.locator('h2:has-text("Known devices") ~ ul').first().getByRole('listitem')
    await devices.nth(1).waitFor()
    expect(await devices.filter({ hasText: 'this one' }).count()).toBe(1)
    await press(page, 'Forget An old laptop')
    await devices.nth(1).waitFor({ state: 'detached' })
    expect(await service.sql('select 1 from device where account_id = $1', [person.id])).toHaveLength(1)
  })

  test('plan and permissions are those of the organisation that is chosen', async () => {
    const person = await service.person()
    await organizationOf(person, 'Looms')
    await organizationOf(person, 'Engines')
    await service.sql(
      `update membership set role_id = 'member' where account_id = $1 and organization_id in
      (select id from organization where name = 'Engines')`,
      [person.id],
    )
    const page = await signedIn(person)
    const choice = page.getByLabel('Look at the organisation')
    await choice.selectOption({ label: 'Looms' })
    await page.getByText('billing: manage').waitFor()
    await choice.selectOption({ label: 'Engines' })
    await page.getByText('billing: manage').waitFor({ state: 'detached' })
  })

  test('a plan shows when it renews or ends, and further subscriptions are named', async () => {
    const person = await service.person()
    const orgId = await organizationOf(person, 'Carriages')
    await service.sql(
      `insert into plan (id, name, rank) values ('pro', 'Pro', 1), ('team', 'Team', 2) on conflict do nothing`,
    )
    await service.sql(
      `insert into plan_price values ('price_pro', 'pro'), ('price_team', 'team') on conflict do nothing`,
    )
    const own = { customer: 'cus_shown', accountId: person.id, status: 'active' }
    await subscribe(service, { ...own, price: 'price_pro' })
    await subscribe(service, { ...own, price: 'price_team' })
    await subscribe(service, { customer: 'cus_org_shown', orgId, price: 'price_team', status: 'trialing' })
    await service.sql(
      `update subscription set current_period_end = now() + interval '70 days', cancel_at_period_end = customer_id = 'cus_org_shown'
       where customer_id in ('cus_shown', 'cus_org_shown')`,
    )
    const page = await signedIn(person)
    await page.getByText('Team · status: active · renews in 2 months').waitFor()
    await page.getByText('Team · status: trialing · ends in 2 months').waitFor()
    await page.getByText('Further subscriptions').waitFor()
    await page.getByText('Pro · active').waitFor()
    await expectAccessible(page, 'plan')
  })

  test('a link to an invitation uses nothing up by being opened; the button joins, and then it is no longer valid', async () => {
    const owner = await service.person()
    const guest = await service.person()
    const orgId = await organizationOf(owner, 'Difference Engines')
    const page = await signedIn(owner, `/#/organizations/${orgId}`)
    await press(page, 'Make an invitation')
    const link = await page.getByRole('status').locator('code').innerText()
    expect(link).toMatch(new RegExp(`^${serviceOrigin}/#/invitation\\?token=`))
    const other = await chromium.newPage({ locale: 'en-GB', expected: [/status of 404/] })
    for (let times = 1; times <= 2; times += 1) await openAnew(other, link)
    await typeSignIn(other, guest)
    await heading(other, 'Join an organisation')
    await other.getByText(`You join as ${guest.email}.`).waitFor()
    await expect.poll(() => other.url()).toBe(`${serviceOrigin}/#/invitation`)
    await expectAccessible(other, 'invitation')
    await press(other, 'Join the organisation')
    await heading(other, 'Difference Engines')
    await openAnew(other, link)
    await press(other, 'Join the organisation')
    await heading(other, 'The invitation is not valid any more')
    await openAnew(other, `${serviceOrigin}/#/invitation`)
    await heading(other, 'This page needs a link')
  })

  test('an invitation by email is mailed, can be declined, and after it is sent again accepted', async () => {
    const owner = await service.person()
    const guest = await service.person()
    const orgId = await organizationOf(owner, 'Analytical Engines')
    const page = await signedIn(owner, `/#/organizations/${orgId}`)
    await page.getByLabel('Email (optional)').fill(guest.email.toUpperCase())
    await press(page, 'Make an invitation')
    await page.getByText(`The invitation was mailed to ${guest.email}.`).waitFor()
    await expectAccessible(page, 'invitations')
    await work.run()
    const [invitation] = mail.received.filter(({ to }) => to.includes(guest.email))
    const link = /https?:\S+#purpose=organization_invitation\S+/.exec(invitation?.mail.text ?? '')?.[0] ?? ''
    const other = await chromium.newPage({ locale: 'en-GB' })
    await other.goto(link)
    await other.getByRole('link', { name: 'Sign in', exact: true }).click()
    await typeSignIn(other, guest)
    await other.getByRole('heading', { name: 'Invitations to you', level: 2 }).waitFor()
    await expectAccessible(other, 'received-invitations')
    await press(other, 'Decline the invitation of Analytical Engines')
    await other.getByText('You have declined the invitation of “Analytical Engines”.').waitFor()
    await page.reload()
    await page.locator('.mark', { hasText: 'declined' }).waitFor()
    await press(page, `Send again: invitation for ${guest.email}`)
    await page.locator('.mark', { hasText: 'declined' }).waitFor({ state: 'detached' })
    await other.reload()
    await press(other, 'Accept the invitation of Analytical Engines')
    await other.getByRole('link', { name: 'Analytical Engines', exact: true }).waitFor()
    await other.getByRole('heading', { name: 'Invitations to you' }).waitFor({ state: 'detached' })
  })

  test('an account that is to be erased is kept by its owner at the sign-in', async () => {
    const person = await service.person()
    expect((await service.post('/auth/account/erase', { token: person.token })).status).toBe(202)
    const page = await chromium.newPage({ locale: 'en-GB', expected: [/status of 403/] })
    await page.goto(serviceOrigin)
    await typeSignIn(page, person)
    await heading(page, 'Your account is going to be erased')
    await expectAccessible(page, 'keep-account')
    await press(page, 'Keep my account')
    await heading(page, 'My account')
    expect(await service.sql('select erases_at from account where id = $1', [person.id])).toEqual([{ erases_at: null }])
  })

  test('a link for someone else says so to who is signed in, and one for themselves does not', async () => {
    const person = await service.person()
    const linkFor = async ({ id, email }: Person) => {
      const headers = { 'if-match': '*' }
      const path = `/api/v1/admin/users/${id}/recovery`
      expect((await service.post(path, { token: admin.token, headers, body: {} })).status).toBe(202)
      await work.run()
      const sent = mail.received.find((one) => one.to.includes(email) && tokenIn(one) !== '')
      return `${serviceOrigin}/auth/link#token=${sent ? tokenIn(sent) : ''}&purpose=recovery`
    }
    const page = await signedIn(person)
    const other = await service.person()
    await openAnew(page, await linkFor(other))
    await page.getByText(`You are signed in here as ${person.email}. This link is for ${other.email}`).waitFor()
    await expectAccessible(page, 'link-other-user')
    const answered = page.waitForResponse(`${serviceOrigin}/auth/account`)
    await openAnew(page, await linkFor(person))
    await answered
    await page.locator('#form').waitFor()
    expect(await page.locator('#other-user').isVisible()).toBe(false)
    await page.goto(`${serviceOrigin}/#/me`)
    await heading(page, 'My account')
  })

  test('the title of the page is that of the screen, and keys of one letter can be switched off', async () => {
    const page = await signedIn(await service.person())
    await heading(page, 'My account')
    await expect.poll(() => page.title()).toBe('My account · Muster')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await heading(page, 'System')
    await page.goto(`${serviceOrigin}/#/me`)
    await page.getByLabel(/^Keys of one letter/).uncheck()
    await page.getByRole('main').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.reload()
    await heading(page, 'My account')
  })

  test.each(['light', 'dark'] as const)(
    'in %s: the whole screen fits and has no fault that axe finds',
    async (colorScheme) => {
      const person = await service.person()
      await organizationOf(person, 'Looms')
      await organizationOf(person, 'Engines')
      const page = await signedIn(person, '/#/me', { colorScheme })
      await page.getByLabel('Look at the organisation').waitFor()
      await page.waitForLoadState('networkidle')
      await expectAccessible(page, `me-${colorScheme}`)
      await expectTextToSpread(page)
    },
  )
})

/** Of two addresses that differ behind `#` only, the browser would stay on the page. */
async function openAnew(page: Page, address: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(address)
}
