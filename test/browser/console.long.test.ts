import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CloudflareSimulator, startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples } from '../../simulators/cloudflare/state.ts'
import { type Chromium, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { consoleAt, fillSignIn, heading, searchUsers } from '../support/console.ts'
import { expectAccessible } from '../support/looks.ts'
import type { Person, Service } from '../support/service.ts'
import { codeAt, enrol, laterCode, startIssuer } from '../support/test-client.ts'
import { serviceOrigin } from './app-page.ts'

/** Another machine's name, over plain http. */
const clearTextOrigin = 'http://muster.lan:4600'

describe.skipIf(isWithoutBrowser)('the console, in Chromium', () => {
  let service: Service
  let simulator: CloudflareSimulator
  let chromium: Chromium
  let admin: Person
  beforeAll(async () => {
    simulator = await startCloudflareSimulator()
    const env = { MUSTER_PUBLIC_URL: serviceOrigin, MUSTER_CLOUDFLARE_URL: simulator.url, MUSTER_HOSTS: 'muster.lan' }
    service = await startIssuer({ env })
    admin = await service.person({ role: 'admin' })
    chromium = await startChromium({ [serviceOrigin]: service.url, [clearTextOrigin]: service.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await service?.stop()
    await simulator?.close()
  })

  const { open, signedIn } = consoleAt(serviceOrigin, () => chromium)

  test('an administrator signs in, finds a person, disables and enables them, and checks a key', async () => {
    const person = await service.person({ email: 'wanted.one@example.com' })
    const page = await signedIn(admin)
    await heading(page, 'People')
    await searchUsers(page, 'wanted.one')
    await page.getByRole('link', { name: 'wanted.one@example.com' }).click()
    await heading(page, 'wanted.one@example.com')
    const statusOf = async () =>
      (
        await service.sql<{ disabled: boolean }>(
          'select disabled_at is not null as disabled from account where id = $1',
          [person.id],
        )
      )[0]
    await page.getByRole('button', { name: /^Disable/ }).click()
    await page.getByRole('button', { name: /^Enable/ }).waitFor()
    expect(await statusOf()).toEqual({ disabled: true })
    await page.getByRole('button', { name: /^Enable/ }).click()
    await page.getByRole('button', { name: /^Disable/ }).waitFor()
    expect(await statusOf()).toEqual({ disabled: false })

    await page.getByRole('link', { name: 'Check a key' }).click()
    await heading(page, 'Check a key')
    const key = page.locator('input[type=password]').first()
    await key.fill(samples.userToken)
    await page.getByRole('button', { name: /^Check/ }).click()
    await page.getByText('The Cloudflare API token is valid and active').waitFor()
    expect(page.url() + (await page.innerText('body'))).not.toContain(samples.userToken)
    await page.getByRole('link', { name: 'People' }).click()
    await heading(page, 'People')
    expect(await page.content()).not.toContain(samples.userToken)
  })

  test('the missing permission of a key is named, and a second check calls the provider again', async () => {
    const { tokens } = simulator.state
    const index = tokens.findIndex(({ value }) => value === samples.accountToken)
    const [token] = tokens.splice(index, 1)
    if (!token) throw new Error('the simulator has no such token')
    tokens.push({ ...token, permissions: ['accounts'] })
    const page = await signedIn(admin, '/#/keys')
    await page.getByText('The answers of Cloudflare are known from real calls.').waitFor()
    await page.locator('input[type=password]').first().fill(samples.accountToken)
    await page.getByRole('button', { name: 'Check key' }).click()
    await page.getByText('it cannot list zones; add the permission Zone → Zone → Read').waitFor()
    expect(await page.locator('.outcome dl').innerText()).toMatch(/May not\s+list zones\s+Missing\s+Zone → Zone → Read/)
    tokens.splice(-1, 1, token)
    service.clock.advanceSeconds(6)
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('The Cloudflare account API token is valid and active').waitFor()
    expect(await page.locator('.outcome dl').innerText()).toContain('fresh from the provider')
  })

  test('a person is opened though the last letter was typed a moment before, and the screen loads slowly', async () => {
    const person = await service.person({ email: 'quickly.opened@example.com' })
    const page = await signedIn(admin, '/#/users')
    await page.getByRole('link', { name: person.email }).waitFor()
    await page.route(/user-screen/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    await page.getByLabel('Part of the name or e-mail address').focus()
    await page.evaluate(`
      document.execCommand('insertText', false, 'quickly')
      setTimeout(() => document.querySelector('a[href$="${person.id}"]').click())
    `)
    await heading(page, person.email)
  })

  test('a person opened in a new tab leaves the list where it is', async () => {
    const person = await service.person({ email: 'another.tab@example.com' })
    const page = await signedIn(admin, '/#/users')
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: person.email }).click({ modifiers: ['ControlOrMeta'] })
    await (await opened).close()
    await heading(page, 'People')
    expect(new URL(page.url()).hash).toBe('#/users')
  })

  test('the token that renews the session is in a cookie that no script reads, and nowhere else', async () => {
    const person = await service.person()
    const page = await signedIn(person)
    const [cookie, ...others] = await page.context().cookies()
    expect(others).toEqual([])
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', value: expect.stringMatching(/^mrt_/) })
    const readable = await page.evaluate<string>(
      'document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)',
    )
    expect(readable).not.toContain('mrt_')
    expect(readable).not.toMatch(/ey[\w-]+\./)
    await page.reload()
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
  })

  test('signing out in one tab ends all tabs; going back or loading again shows nothing of the account', async () => {
    const person = await service.person()
    const page = await signedIn(person, '/#/me')
    const other = await page.context().newPage()
    await other.goto(`${serviceOrigin}/#/me`)
    await other.getByRole('button', { name: 'Sign out', exact: true }).click()
    for (const tab of [page, other]) {
      await heading(tab, 'Sign in to Muster')
      expect(await tab.content()).not.toContain(person.email)
    }
    await page.goto(`${serviceOrigin}/#/audit`)
    await page.goBack()
    await heading(page, 'Sign in to Muster')
    await page.reload()
    await heading(page, 'Sign in to Muster')
    expect(
      await service.sql('select from session where account_id = $1 and ended_at is null and amr = $2', [
        person.id,
        '{pwd}',
      ]),
    ).toHaveLength(1)
  })

  test('a wrong password is refused in one sentence, and the second step asks for the code by the name of the app', async () => {
    const person = await service.person()
    const { secret } = await enrol(service, person.token, person)
    laterCode(service)
    const page = await open('/', { expected: [/status of 401/] })
    await fillSignIn(page, { ...person, password: 'not the password' })
    await page.getByText('You are not signed in.').waitFor()
    await fillSignIn(page, person)
    await heading(page, 'Second step')
    await page.getByText('From the app “Phone”.').waitFor()
    await page.getByLabel('Code of six digits').fill(codeAt(secret, service.clock.now()))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
  })

  test('an initial password opens nothing but the choice of an own one', async () => {
    const person = await service.person({ role: 'admin' })
    await service.sql('update credential set initial_until = now() + $2::interval where account_id = $1', [
      person.id,
      '7 days',
    ])
    const page = await open('/', { expected: [/status of 403/] })
    await fillSignIn(page, person)
    await heading(page, 'Choose a password')
    await page.getByLabel('Present password').fill(person.password)
    await page.getByLabel('New password').fill('lantern otter quilt maple')
    await page.getByRole('button', { name: 'Change password' }).click()
    await heading(page, 'People')
  })

  test('a user without permissions is offered their own account, and no screen of administrators', async () => {
    const page = await signedIn(await service.person())
    await heading(page, 'My account')
    const links = await page.getByRole('navigation').getByRole('link').allTextContents()
    expect(links).not.toContain('People')
    expect(links).not.toContain('Audit')
  })

  test('a service that cannot be reached is named, and nothing is taken for empty', async () => {
    const page = await signedIn(admin, '/#/audit', { expected: [/ERR_FAILED/] })
    await page.getByRole('table').waitFor()
    await page.route(`${serviceOrigin}/**`, (route) => route.abort())
    await page.getByLabel('Action').fill('account.disabled')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('The audit trail was not read.').waitFor()
    expect(await page.getByText(/There is no event/).count()).toBe(0)
    await page.unroute(`${serviceOrigin}/**`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/The audit trail was not read/).waitFor({ state: 'detached' })
  })

  test('over plain http from another machine no password is asked for, and the page says why', async () => {
    // The browser does not use the policies of an origin that it cannot trust.
    const page = await chromium.newPage({ locale: 'en-GB', expected: [/Cross-Origin-Opener-Policy/] })
    await page.goto(`${clearTextOrigin}/`)
    await heading(page, 'The console needs https')
    expect(await page.locator('input').count()).toBe(0)
  })

  test('an administrator finds an organisation by its name and sees its members, and chooses the role of one', async () => {
    const person = await service.person({ email: 'member.of@example.com' })
    await service.sql(`insert into role (id, name) values ('support', 'Support') on conflict do nothing`)
    await service.sql(
      `with made as (insert into organization (name) values ('Difference & Engines'), ('Looms') returning id, name)
       insert into membership (organization_id, account_id) select id, $1 from made where name like 'Diff%'`,
      [person.id],
    )
    const page = await signedIn(admin, '/#/organizations')
    await page.getByLabel('Part of the name').fill('difference &')
    await page.keyboard.press('Enter')
    await page.getByText('Looms').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Members of Difference & Engines' }).click()
    await heading(page, 'People')
    await page.getByText('Members of the organisation').waitFor()
    await page.locator('.user-link').first().waitFor()
    expect(await page.locator('.user-link').allTextContents()).toEqual([person.email])
    await page.getByRole('link', { name: person.email }).click()
    // The list has a field with the same label.
    await page.getByRole('button', { name: 'Change the role' }).waitFor()
    await page.getByLabel('Role').selectOption('support')
    await page.getByRole('button', { name: 'Change the role' }).click()
    await page.getByText(`The role of ${person.email} is support.`).waitFor()
  })

  test('what people choose as names is shown as text', async () => {
    const markup = `"><img src=x onerror="document.title='taken'">`
    const person = await service.person()
    await service.sql('insert into organization (name) values ($1)', [markup])
    await service.sql(
      `insert into membership (organization_id, account_id, role_id) select id, $1, 'owner' from organization where name = $2`,
      [person.id, markup],
    )
    const page = await signedIn(admin, `/#/users/${person.id}`)
    await page.getByText(markup).first().waitFor()
    expect(await page.title()).not.toBe('taken')
    expect(await page.locator('img').count()).toBe(0)
  })

  test('addresses of screens and filters never reach the service', async () => {
    const page = await signedIn(admin)
    const paths: string[] = []
    page.on('request', (request) => paths.push(request.url()))
    await page.goto(`${serviceOrigin}/#/users?q=someone.private`)
    await page.reload()
    await heading(page, 'People')
    expect(paths.filter((url) => new URL(url).pathname === '/')).not.toContainEqual(expect.stringContaining('?'))
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    test.each([
      ['sign-in', undefined],
      ['users', '/#/users'],
      ['user', '/#/users/'],
      ['organizations', '/#/organizations'],
      ['keys', '/#/keys'],
      ['audit', '/#/audit'],
      ['system', '/#/system'],
      ['me', '/#/me'],
    ] as const)('the screen %s has no fault that axe finds, also at 320 pixels', async (name, path) => {
      const target = name === 'user' ? `${path}${admin.id}` : path
      const page =
        target === undefined ? await open('/', { colorScheme }) : await signedIn(admin, target, { colorScheme })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectAccessible(page, `${name}-${colorScheme}`)
    })
  })
})
