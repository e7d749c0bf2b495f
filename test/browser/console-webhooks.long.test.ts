import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { consoleAt, heading } from '../support/console.ts'
import { expectAccessible } from '../support/looks.ts'
import type { Person, Service } from '../support/service.ts'
import { startIssuer } from '../support/test-client.ts'
import { isSigned, nodeForTest, receiverEnv, receiverForTest, registerEndpoint } from '../support/webhook-receiver.ts'
import { serviceOrigin } from './app-page.ts'

describe.skipIf(isWithoutBrowser)('the screen Webhooks, in Chromium', () => {
  let service: Service
  let chromium: Chromium
  let admin: Person
  beforeAll(async () => {
    service = await startIssuer({ env: { ...receiverEnv, MUSTER_PUBLIC_URL: serviceOrigin } })
    admin = await service.person({ role: 'admin' })
    chromium = await startChromium({ [serviceOrigin]: service.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await service?.stop()
  })
  beforeEach(async () => {
    await service.sql('delete from webhook_endpoint')
    await service.sql('delete from webhook_event')
  })

  const { signedIn } = consoleAt(serviceOrigin, () => chromium)

  const endpointsNow = () =>
    service.sql<{ events: string[]; disabled_why: string | null }>('select events, disabled_why from webhook_endpoint')

  test('an endpoint is registered, its secret is shown once, and a test event arrives, which is shown and sent again', async () => {
    const receiver = await receiverForTest()
    const node = await nodeForTest(service)
    const page = await signedIn(admin, '/')
    await heading(page, 'People')
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await heading(page, 'Webhooks')
    await page.getByText('No endpoint is registered').waitFor()

    await page.getByRole('button', { name: 'Register an endpoint' }).click()
    await page.getByLabel('Address', { exact: true }).fill(receiver.url)
    await page.getByLabel('Description').fill('The product')
    await page.getByRole('button', { name: 'Register an endpoint' }).click()
    await page.getByText('Choose at least one event.').waitFor()
    await page.getByLabel(/^user\.created/).check()
    await page.getByLabel(/^user\.deleted/).check()
    await page.getByRole('button', { name: 'Register an endpoint' }).click()
    const note = page.getByRole('status').filter({ hasText: 'It is shown once' })
    const secret = await note.locator('code').innerText()
    expect(secret).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'I have it' }).click()
    expect(await page.content()).not.toContain(secret)
    expect(await endpointsNow()).toEqual([{ events: ['user.created', 'user.deleted'], disabled_why: null }])

    await page.getByRole('link', { name: new URL(receiver.url).host }).click()
    await heading(page, new URL(receiver.url).host)
    await page.getByText('Nothing was sent to this endpoint yet.').waitFor()
    receiver.replies.push(500)
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('not tried yet').waitFor()
    await node.deliver()
    const row = page.getByRole('row').filter({ hasText: 'webhook.test' })
    await row.getByText('500').waitFor()
    await row.getByText('next try').waitFor()
    await page.getByRole('button', { name: /^Send again: webhook\.test/ }).click()
    await page.getByText('It will be sent again.').waitFor()
    await node.deliver()
    await row.getByText('delivered').waitFor()
    const [first, second] = receiver.received
    expect(second?.id).toBe(first?.id)
    expect(second && isSigned(second, secret)).toBe(true)
  })

  test('events are changed, the secret is replaced, the endpoint is disabled and enabled again, and removed by its name', async () => {
    const receiver = await receiverForTest()
    await registerEndpoint(service, admin.token, { url: receiver.url, events: ['user.created'] })
    const { host } = new URL(receiver.url)
    const page = await signedIn(admin, '/#/webhooks')
    await page.getByRole('link', { name: new URL(receiver.url).host }).click()
    await page.getByRole('button', { name: 'Change what is sent' }).click()
    await page.getByLabel(/^user\.created/).uncheck()
    await page.getByLabel(/^organization\.created/).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The endpoint is changed.').waitFor()
    expect(await endpointsNow()).toEqual([{ events: ['organization.created'], disabled_why: null }])

    await page.getByRole('button', { name: 'Disable the endpoint' }).click()
    await page.getByText(`${host} gets no events any more.`).waitFor()
    expect(await endpointsNow()).toMatchObject([{ disabled_why: 'administrator' }])
    expect(await page.getByRole('button', { name: 'Send a test event' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Disable the endpoint' }).waitFor()
    expect(await endpointsNow()).toMatchObject([{ disabled_why: null }])

    await page.getByRole('button', { name: 'Replace the secret' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace the secret' }).click()
    await page.getByText('It is shown once').waitFor()
    await page.getByText('The secret before signs too, until').waitFor()

    await page.getByRole('button', { name: 'Remove the endpoint' }).click()
    await page.getByLabel(`Type ${host} to confirm`).fill(host)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the endpoint' }).click()
    await page.getByText('No endpoint is registered').waitFor()
    expect(await endpointsNow()).toEqual([])
  })

  test('what failed is shown by itself, and all of it is sent again', async () => {
    const receiver = await receiverForTest()
    const node = await nodeForTest(service)
    const { id } = await registerEndpoint(service, admin.token, { url: receiver.url, events: ['user.created'] })
    await service.person()
    await service.person()
    await service.sql(
      `update webhook_delivery set state = 'failed', tries = 10, tried_at = now(), fault = 'ECONNREFUSED'`,
    )
    const page = await signedIn(admin, `/#/webhooks/${id}?state=pending`)
    await page.getByText('No delivery is in this state.').waitFor()
    await page.getByLabel('Show').selectOption('failed')
    await expect.poll(() => page.getByText('ECONNREFUSED').count()).toBe(2)
    expect(page.url()).toContain('state=failed')
    await page.getByRole('button', { name: 'Send again what failed' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send again what failed' }).click()
    await page.getByText('2 will be sent again.').waitFor()
    await node.deliver()
    expect(receiver.received).toHaveLength(2)
  })

  test('an old sign-in is proved anew before the endpoints are shown; who cancels is told, and may try again', async () => {
    const person = await service.person({ role: 'admin' })
    const page = await signedIn(person, '/#/me', { expected: [/status of 401/] })
    await heading(page, 'My account')
    await service.sql(`update session set proved_at = now() - interval '20 minutes' where account_id = $1`, [person.id])
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The endpoints were not read.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByText('No endpoint is registered').waitFor()
  })

  test('what could not be read is never shown as empty; without the permission there is no such screen', async () => {
    const page = await signedIn(admin, '/#/me', { expected: [/status of 503/] })
    await heading(page, 'My account')
    await page.route('**/api/v1/admin/webhooks', (route) => route.fulfill({ status: 503, body: '' }))
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('The endpoints were not read.').waitFor({ timeout: 20_000 })
    expect(await page.getByText('No endpoint is registered').count()).toBe(0)
    const user = await signedIn(await service.person())
    await heading(user, /./)
    expect(await user.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
    await user.keyboard.press('Control+k')
    await user.getByRole('option', { name: 'My account' }).waitFor()
    expect(await user.getByRole('option', { name: 'Webhooks' }).count()).toBe(0)
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    test('endpoints, the form and deliveries have no fault that axe finds, in both languages, also at 320 pixels', async () => {
      const url = 'https://a-receiver-with-a-long-name.product.example.com/muster/webhooks'
      const { id } = await registerEndpoint(service, admin.token, { url, events: ['user.created', 'user.deleted'] })
      await service.person()
      await service.person()
      await service.sql(
        `update webhook_delivery set tries = 3, tried_at = now(), status = 502, next_at = now() + interval '5 minutes'
         where id = (select min(id::text)::uuid from webhook_delivery)`,
      )
      await service.sql(`update webhook_endpoint set failing_since = now() - interval '1 hour'`)
      const page = await signedIn(admin, '/#/webhooks', { colorScheme })
      await page.getByRole('link', { name: new URL(url).host }).waitFor()
      await expectAccessible(page, `webhooks-${colorScheme}`)
      await page.getByRole('button', { name: 'Register an endpoint' }).click()
      await expectAccessible(page, `webhooks-new-${colorScheme}`)
      await page.getByLabel('Language').selectOption('de')
      await expectAccessible(page, `webhooks-new-de-${colorScheme}`)
      await page.goto(`${serviceOrigin}/#/webhooks/${id}`)
      await page.getByText('nächster Versuch').waitFor()
      await expectAccessible(page, `webhook-de-${colorScheme}`)
      await page.getByLabel('Sprache').selectOption('en')
      await page.getByText('next try').waitFor()
      await expectAccessible(page, `webhook-${colorScheme}`)
    })
  })
})
