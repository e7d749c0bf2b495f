import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, type PageOptions, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { consoleAt, heading } from '../support/console.ts'
import { expectAccessible } from '../support/looks.ts'
import type { Person, Service } from '../support/service.ts'
import { startIssuer } from '../support/test-client.ts'
import { serviceOrigin } from './app-page.ts'

describe.skipIf(isWithoutBrowser)('what a person sees, for administrators, in Chromium', () => {
  let service: Service
  let chromium: Chromium
  beforeAll(async () => {
    service = await startIssuer({ env: { MUSTER_PUBLIC_URL: serviceOrigin } })
    chromium = await startChromium({ [serviceOrigin]: service.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await service?.stop()
  })

  const { signedIn } = consoleAt(serviceOrigin, () => chromium)
  const see = 'See what this person sees'

  /** A name that would be markup, if it were not text. */
  const canary = '<img src=x onerror=alert(1)>'

  async function member(): Promise<Person> {
    const person = await service.person()
    await service.sql(
      `with made as (insert into organization (name) values ($1) returning id)
       insert into membership (organization_id, account_id, role_id) select id, $2, 'owner' from made`,
      [`Engines ${canary}`, person.id],
    )
    return person
  }

  /** The administrator looks at the person. */
  async function looking(admin: Person, person: Person, options: PageOptions = {}): Promise<Page> {
    const page = await signedIn(admin, `/#/users/${person.id}`, options)
    await page.getByRole('button', { name: see }).click()
    await page.getByLabel('Reason').fill('Ticket 4711')
    await page.keyboard.press('Enter')
    await heading(page, `As ${person.email}`)
    return page
  }

  const eventsOf = async ({ id }: Person) =>
    (
      await service.sql<{ action: string }>(
        `select distinct action from audit_event where target_id = $1 and action like 'act_as%' order by action`,
        [id],
      )
    ).map(({ action }) => action)

  test('an administrator gives a reason, sees what is the person’s own, marked and without a way to change it, and ends it', async () => {
    const admin = await service.person({ role: 'admin' })
    const person = await member()
    const page = await looking(admin, person, { expected: [/status of 403/] })
    await page.getByText(`You see what ${person.email} sees.`).waitFor()
    await page.getByText(`Engines ${canary} · owner`).waitFor()
    await page.getByText('Free · status: active').waitFor()
    await page.getByText('There is none: your password alone').waitFor()
    const buttons = await page.getByRole('main').getByRole('button').allInnerTexts()
    expect(buttons).toEqual(['Stop seeing this'])
    expect(await page.getByRole('main').innerText()).not.toContain('act_as')
    expect(await eventsOf(person)).toEqual(['act_as.started', 'act_as.used'])

    await page.getByRole('button', { name: 'Stop seeing this' }).click()
    await page.getByText(`You do not see the account of ${person.email} any more.`).waitFor()
    await page.getByRole('heading', { name: person.email, exact: true }).waitFor()
    expect(await eventsOf(person)).toEqual(['act_as.ended', 'act_as.started', 'act_as.used'])
    await page.goBack()
    await heading(page, /You do not see what this person sees/)
    expect(await page.getByText(canary).count()).toBe(0)
    await page.getByRole('link', { name: 'My account' }).click()
    await page.getByText('act_as').waitFor()
  })

  test('an old sign-in is proved anew before it', async () => {
    const admin = await service.person({ role: 'admin' })
    const person = await member()
    const page = await signedIn(admin, `/#/users/${person.id}`, { expected: [/status of 401/] })
    await page.getByRole('button', { name: see }).click()
    await page.getByLabel('Reason').fill('Ticket 4712')
    await service.sql(`update session set proved_at = now() - interval '20 minutes' where account_id = $1`, [admin.id])
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Password').fill(admin.password)
    await page.keyboard.press('Enter')
    await heading(page, `As ${person.email}`)
  })

  test('after the time nothing of it stays on the screen', async () => {
    const admin = await service.person({ role: 'admin' })
    const person = await member()
    const page = await looking(admin, person, { expected: [/status of 403/] })
    await service.sql('update act_as set expires_at = now() where actor_id = $1', [admin.id])
    await page.reload()
    await heading(page, /You do not see what this person sees/)
    await page.getByRole('link', { name: 'To the person' }).click()
    await heading(page, person.email)
  })

  test('an answer without the mark is not shown: it would be the administrator’s own', async () => {
    const admin = await service.person({ role: 'admin' })
    const person = await member()
    const page = await signedIn(admin, `/#/users/${person.id}`)
    await page.route('**/api/v1/orgs', async (route) => {
      const headers = { ...route.request().headers() }
      delete headers['act-as']
      await route.continue({ headers })
    })
    await page.getByRole('button', { name: see }).click()
    await page.getByLabel('Reason').fill('Ticket 4713')
    await page.keyboard.press('Enter')
    await page.getByText('The answer was not one of Muster’s.').waitFor()
  })

  test('of a role that grants more it is refused, and without the permission it is not offered', async () => {
    await service.sql(
      `insert into role (id, name) values ('support', 'Support'), ('reader', 'Reader') on conflict do nothing`,
    )
    await service.sql(
      `insert into role_grant values ('support', 'users', 'read'), ('support', 'users', 'act_as'), ('reader', 'users', 'read')
       on conflict do nothing`,
    )
    const boss = await service.person({ role: 'admin' })
    const support = await signedIn(await service.person({ role: 'support' }), `/#/users/${boss.id}`, {
      expected: [/status of 403/],
    })
    await support.getByRole('button', { name: see }).click()
    await support.getByLabel('Reason').fill('Ticket 4714')
    await support.keyboard.press('Enter')
    await support.getByText('Your own role does not grant everything').waitFor()
    const reader = await signedIn(await service.person({ role: 'reader' }), `/#/users/${boss.id}`)
    await reader.getByText('Your role does not include users:act_as.').waitFor()
    expect(await reader.getByRole('button', { name: see }).count()).toBe(0)
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    test('the question, the view and its end have no fault that axe finds, in both languages, also at 320 pixels', async () => {
      const admin = await service.person({ role: 'admin' })
      const person = await member()
      const page = await signedIn(admin, `/#/users/${person.id}`, { colorScheme, expected: [/status of 403/] })
      await page.getByRole('button', { name: see }).click()
      await page.getByLabel('Reason').fill('Ticket 4715')
      await expectAccessible(page, `act-as-question-${colorScheme}`)
      await page.getByRole('button', { name: `See it as ${person.email}` }).click()
      await page.getByText('Known devices').waitFor()
      await expectAccessible(page, `act-as-${colorScheme}`)
      await page.getByLabel('Language').selectOption('de')
      await page.getByRole('button', { name: 'Nicht mehr ansehen' }).waitFor()
      await expectAccessible(page, `act-as-de-${colorScheme}`)
      await service.sql('update act_as set expires_at = now() where actor_id = $1', [admin.id])
      await page.reload()
      await heading(page, /nicht mehr, was diese Person sieht/)
      await expectAccessible(page, `act-as-over-${colorScheme}`)
    })
  })
})
