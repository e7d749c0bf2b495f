import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StripeSimulator, simulatedKey, startStripeSimulator } from '../../simulators/stripe/server.ts'
import { subscribe } from '../support/billing-rows.ts'
import { type Chromium, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { consoleAt, heading } from '../support/console.ts'
import { expectAccessible } from '../support/looks.ts'
import type { Person, Service } from '../support/service.ts'
import { startIssuer } from '../support/test-client.ts'
import { serviceOrigin } from './app-page.ts'

const plainOrigin = 'http://localhost:4601'

describe.skipIf(isWithoutBrowser)('the screens Billing and System, in Chromium', () => {
  let service: Service
  /** Without a payment processor. */
  let plain: Service
  let stripe: StripeSimulator
  let chromium: Chromium
  let admin: Person
  beforeAll(async () => {
    stripe = await startStripeSimulator()
    const env = {
      MUSTER_PUBLIC_URL: serviceOrigin,
      STRIPE_WEBHOOK_SECRET: 'whsec_console_1',
      STRIPE_SECRET_KEY: simulatedKey,
      MUSTER_STRIPE_URL: stripe.url,
      PADDLE_WEBHOOK_SECRET: 'pdl_console_1',
      MUSTER_ISSUERS: JSON.stringify([
        { issuer: 'http://127.0.0.1:9', algorithms: ['ES256'], audience: 'app', keys: 'http://127.0.0.1:9/keys' },
      ]),
    }
    service = await startIssuer({ env })
    plain = await startIssuer({ env: { MUSTER_PUBLIC_URL: plainOrigin } })
    admin = await service.person({ role: 'admin' })
    await service.sql(`insert into plan (id, name) values ('pro', 'Pro'), ('team', 'Team')`)
    await service.sql(`insert into plan_price values ('price_pro', 'pro')`)
    chromium = await startChromium({ [serviceOrigin]: service.url, [plainOrigin]: plain.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await service?.stop()
    await plain?.stop()
    await stripe?.close()
  })

  const { signedIn } = consoleAt(serviceOrigin, () => chromium)

  /** A customer that only its payer has claimed for an account. */
  async function claimed(customer: string, { id }: Person): Promise<void> {
    await service.sql(
      `insert into customer (id, account_id, claim_kind, claim_value, claim_rank, claim_at)
       values ($1, $2, 'any', $3, 0, now())`,
      [customer, id, id],
    )
  }

  async function ownerOf(customer: string) {
    const [row] = await service.sql<{ account_id: string | null; claim_rank: number | null }>(
      'select account_id, claim_rank from customer where id = $1',
      [customer],
    )
    return row
  }

  test('an administrator confirms a claimed customer, gives another one its owner, and maps a price with a way back', async () => {
    const payer = await service.person({ email: 'the.payer@example.com' })
    const other = await service.person({ email: 'the.other@example.com' })
    await claimed('cus_payer', payer)
    await claimed('cus_wrong', payer)
    await subscribe(service, { customer: 'cus_lost', price: 'price_unknown', status: 'active', product: 'Seats' })
    const page = await signedIn(admin, '/')
    await heading(page, 'People')
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await heading(page, 'Billing')
    await page.getByRole('button', { name: 'This is them: cus_payer, the.payer@example.com' }).click()
    await page.getByText('cus_payer belongs to the.payer@example.com.').waitFor()
    expect(await ownerOf('cus_payer')).toEqual({ account_id: payer.id, claim_rank: 3 })

    await page.getByRole('button', { name: 'Belongs to someone else: cus_wrong' }).click()
    await page.getByLabel('E-mail address or id of the person').fill('no.one@example.com')
    await page.getByRole('button', { name: 'Link the customer' }).click()
    await page.getByText('There is no such person').waitFor()
    await expectAccessible(page, 'billing-owner')
    await page.getByLabel('E-mail address or id of the person').fill('The.Other@example.com')
    await page.getByRole('button', { name: 'Link the customer' }).click()
    await page.getByText('cus_wrong is linked.').waitFor()
    expect(await ownerOf('cus_wrong')).toEqual({ account_id: other.id, claim_rank: 3 })

    await page.getByLabel('Plan for price_unknown').selectOption('pro')
    await page.getByRole('button', { name: 'Map to the plan' }).click()
    await page.getByText('Every price that people pay is mapped to a plan.').waitFor()
    expect(await service.sql(`select plan_id from plan_price where price_id = 'price_unknown'`)).toEqual([
      { plan_id: 'pro' },
    ])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByLabel('Plan for price_unknown').waitFor()
    expect(await service.sql(`select from plan_price where price_id = 'price_unknown'`)).toEqual([])
  })

  test('a reconciliation is started and its result appears; one that fails is named with the cause', async () => {
    const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, { status: 'active' }) // its event is lost
    const page = await signedIn(admin, '/#/billing')
    await page.getByRole('button', { name: 'Reconcile now' }).click()
    await page.getByText('What the last run of Stripe found').click()
    await page.getByText(id).first().waitFor()
    stripe.control.beforeSending = () => Promise.reject(new Error('gone'))
    await page.getByRole('button', { name: 'Reconcile now' }).click()
    await page.getByText('the processor could not be reached').waitFor({ timeout: 30_000 })
    stripe.control.beforeSending = undefined
    expect(await page.getByText('What the last run of Stripe found').count()).toBe(1)
  })

  test('an old sign-in is proved anew before a customer is confirmed', async () => {
    const person = await service.person({ role: 'admin' })
    const payer = await service.person()
    await claimed('cus_later', payer)
    const page = await signedIn(person, '/#/billing', { expected: [/status of 401/] })
    await page.getByRole('button', { name: /^This is them: cus_later/ }).waitFor()
    await service.sql(`update session set proved_at = now() - interval '20 minutes' where account_id = $1`, [person.id])
    await page.getByRole('button', { name: /^This is them: cus_later/ }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByText(/^cus_later belongs to/).waitFor()
  })

  test('who lacks the permission is offered no billing, and who may only read is told what is missing', async () => {
    await service.sql(`insert into role (id, name) values ('viewer', 'Viewer') on conflict do nothing`)
    await service.sql(`insert into role_grant values ('viewer', 'subscriptions', 'read') on conflict do nothing`)
    await claimed('cus_seen', await service.person())
    const viewer = await signedIn(await service.person({ role: 'viewer' }), '/#/billing')
    await viewer.getByText('Your role does not include subscriptions:manage.').first().waitFor()
    expect(await viewer.getByRole('button', { name: /This is them/ }).count()).toBe(0)
    const user = await signedIn(await service.person(), '/#/me')
    await heading(user, 'My account')
    expect(await user.getByRole('link', { name: 'Billing' }).count()).toBe(0)
  })

  test('without a payment processor the navigation does not have it, and its address says what to set', async () => {
    const person = await plain.person({ role: 'admin' })
    const page = await chromium.newPage({ locale: 'en-GB' })
    await page.goto(`${plainOrigin}/#/billing`)
    await page.getByLabel('E-mail address').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('No payment processor is connected.').waitFor()
    expect(await page.getByRole('link', { name: 'Billing' }).count()).toBe(0)
    expect(await page.getByText('has an owner').count()).toBe(0)
  })

  test('System says what to do with the command to run, and shows no secret in its settings', async () => {
    const page = await signedIn(admin, '/#/system')
    await page.getByText('Tokens of http://127.0.0.1:9 cannot be verified').waitFor()
    await page.getByText('muster doctor --only issuers').waitFor()
    await page.getByText('STRIPE_SECRET_KEY').waitFor()
    const before = await page.getByText('MUSTER_DRAIN_SECONDS').count()
    await page.getByLabel(/Show all/).check()
    await page.getByText('MUSTER_DRAIN_SECONDS').waitFor()
    expect(before).toBe(0)
    const content = await page.content()
    for (const secret of ['whsec_console_1', simulatedKey, 'pdl_console_1']) expect(content).not.toContain(secret)
  })

  test('a state that cannot be read is named, and whether the node is ready is still shown', async () => {
    const page = await signedIn(admin, '/#/system', { expected: [/status of 503/] })
    await page.route('**/api/v1/admin/system', (route) => route.fulfill({ status: 503, body: '' }))
    await page.reload()
    await page.getByText('The state of the service was not read.').waitFor()
    await page.getByText('accepts requests').waitFor()
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    test('Billing, System and a person have no fault that axe finds, in both languages, also at 320 pixels', async () => {
      const person = await service.person({ email: `buyer.${colorScheme}@example.com` })
      await service.sql(
        `with made as (insert into organization (name) values ('Analytical Engines') returning id)
         insert into membership (organization_id, account_id, role_id) select id, $1, 'owner' from made`,
        [person.id],
      )
      await service.sql(
        `insert into identity (issuer, subject, account_id) values ('https://id.example.com', $1, $2)`,
        [`auth0|${colorScheme}`, person.id],
      )
      await claimed(`cus_of_${colorScheme}`, person)
      await subscribe(service, { customer: `cus_of_${colorScheme}`, price: 'price_pro', status: 'past_due' })
      await subscribe(service, { customer: `cus_of_${colorScheme}`, price: 'price_odd', status: 'a_new_word' })
      await subscribe(service, {
        customer: `cus_lost_${colorScheme}`,
        price: 'price_1NpXq2LkdIwHu7ixY0aQb0Tz',
        status: 'active',
      })
      for (const [name, path] of [
        ['billing', '/#/billing'],
        ['system', '/#/system'],
        ['user-billing', `/#/users/${person.id}`],
      ] as const) {
        const page = await signedIn(admin, path, { colorScheme })
        await page.getByRole('heading', { level: 2 }).first().waitFor()
        await page
          .getByText(name === 'system' ? 'PostgreSQL' : 'price_odd')
          .first()
          .waitFor()
        await expectAccessible(page, `${name}-${colorScheme}`)
        await page.getByLabel('Language').selectOption('de')
        await expectAccessible(page, `${name}-de-${colorScheme}`)
        await page.close()
      }
    })
  })
})
