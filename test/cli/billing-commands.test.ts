import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { simulatedKey, startStripeSimulator } from '../../simulators/stripe/server.ts'
import { Secret } from '../../src/platform/secret.ts'
import { createPasswordAccount } from '../../src/sign-in/passwords/password-accounts.ts'
import { reusedDatabase } from '../support/reused-database.ts'
import { runMuster } from './run-muster.ts'

async function bench() {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  const settings = { DATABASE_URL: fresh.url, MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
  return {
    fresh,
    sql: <Row extends object>(text: string, values: readonly unknown[] = []) =>
      fresh.database.query<Row>({ name: '', text }, values),
    muster: (command: string, env: Record<string, string> = {}) =>
      runMuster(command.split(' '), { env: { ...settings, ...env } }),
  }
}

describe('muster plans', () => {
  test('creates, prices, grants, ranks, lists, makes default and removes a plan', async () => {
    const { muster } = await bench()
    const done = async (command: string) => expect(await muster(command)).toMatchObject({ code: 0, stderr: '' })
    await done('plans create pro --name Pro')
    await done('plans map pro price_month price_year')
    await done('plans grant pro reports:export reports:read')
    await done('plans revoke pro reports:read')
    await done('plans rename pro Professional')
    await done('plans default pro')
    await done('plans create team')
    await done('plans rank pro 12')
    const { stdout } = await muster('plans list')
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: 'free', name: 'Free', is_default: false, rank: 0, prices: [], grants: [], subscriptions: 0 },
      {
        id: 'pro',
        name: 'Professional',
        is_default: true,
        rank: 12,
        prices: ['price_month', 'price_year'],
        grants: ['reports:export'],
        subscriptions: 0,
      },
      { id: 'team', name: 'team', is_default: false, rank: 2, prices: [], grants: [], subscriptions: 0 },
    ])
    await done('plans default none')
    await done('plans unmap price_month price_year')
    await done('plans remove pro')
    expect((await muster('plans list')).stdout).not.toContain('pro')
  })

  test('fails with a sentence if the input is wrong', async () => {
    const { muster, sql } = await bench()
    await sql(`insert into plan (id, name) values ('pro', 'Pro')`)
    await sql(`insert into plan_price values ('price_1', 'pro')`)
    for (const [command, sentence] of [
      ['plans create Pro!', /cannot be the ID of a plan/],
      ['plans create pro', /already/],
      ['plans map team price_1', /There is no plan team/],
      ['plans remove pro', /muster plans unmap price_1/],
      ['plans grant pro everything', /is not a permission/],
      ['plans rank team 1', /There is no plan team/],
      ['plans rank pro high', /must be a whole number from 0 to 1000000/],
      ['plans rank pro 1000001', /must be a whole number/],
    ] as const) {
      const { code, stdout, stderr } = await muster(command)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(sentence)
    }
  })

  test('unmapped lists prices of subscriptions that have no plan', async () => {
    const { muster, sql } = await bench()
    await sql(`insert into customer (id) values ('cus_1')`)
    await sql(
      `insert into subscription (id, customer_id, price_ids, product_name, status, created_at, seen_at, seen_rank)
       values ('sub_1', 'cus_1', '{price_x}', 'Extra', 'active', now(), now(), 0)`,
    )
    const doctor = await muster('doctor', { MUSTER_PORT: '0' })
    expect(doctor.stdout).toMatch(/The price price_x of 1 subscription has no plan/)
    expect(doctor.stdout).toMatch(/1 customer of the payment processor without an owner/)
    const { stdout } = await muster('plans unmapped')
    expect(JSON.parse(stdout)).toEqual({ price_id: 'price_x', product_name: 'Extra', subscriptions: 1 })
  })
})

describe('muster billing', () => {
  test('sync prints its fixes, waiting lists customers without an owner, and link sets the owner', async () => {
    const { muster, fresh, sql } = await bench()
    const stripe = await startStripeSimulator()
    onTestFinished(() => stripe.close())
    const env = { STRIPE_SECRET_KEY: simulatedKey, MUSTER_STRIPE_URL: stripe.url }
    const customer = stripe.state.addCustomer()
    const { id } = stripe.state.subscribe(customer.id, { status: 'active' })
    expect(await muster('billing sync', env)).toMatchObject({
      code: 0,
      stdout: `fixed     ${id}  missing\n`,
      stderr: '1 compared, 1 fixed, 0 customers linked, 0 not found at Stripe.\n',
    })
    expect(JSON.parse((await muster('billing sync --json', env)).stdout)).toEqual({
      checked: 1,
      repaired: [],
      linked: [],
      unknown: [],
    })

    const { stdout } = await muster('billing waiting')
    expect(JSON.parse(stdout)).toMatchObject({ id: customer.id, subscriptions: [{ id, status: 'active' }] })
    await createPasswordAccount(fresh.database, {
      email: 'ada@example.com',
      password: new Secret('correct horse battery'),
      roleId: 'user',
    })
    expect(await muster(`billing link ${customer.id} --account ada@example.com`)).toMatchObject({ code: 0, stderr: '' })
    expect(await sql('select from customer where account_id is not null')).toHaveLength(1)
    expect((await muster('billing waiting')).stdout).toBe('')
  })

  test('confirm lists unconfirmed customers, and confirms only the owner that the operator names', async () => {
    const { muster, fresh, sql } = await bench()
    const password = new Secret('correct horse battery')
    const [ada, eve] = [
      await createPasswordAccount(fresh.database, { email: 'ada@example.com', password, roleId: 'user' }),
      await createPasswordAccount(fresh.database, { email: 'eve@example.com', password, roleId: 'user' }),
    ]
    await sql(
      `insert into customer (id, account_id, claim_kind, claim_value, claim_rank, claim_at) values ('cus_1', $1, 'any', $2, 0, now())`,
      [ada, ada],
    )
    expect(eve).not.toBe(ada)
    const { stdout } = await muster('billing confirm')
    expect(JSON.parse(stdout)).toEqual({
      id: 'cus_1',
      processor: 'stripe',
      owner: { kind: 'account', id: ada, name: 'ada@example.com' },
      subscriptions: [],
    })
    expect(await muster('billing confirm cus_1')).toMatchObject({
      code: 1,
      stderr: 'Add either --account or --org.\n',
    })
    expect(await muster('billing confirm cus_1 --account eve@example.com')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no unconfirmed owner, or a different one'),
    })
    expect(await muster('billing confirm cus_1 --account ada@example.com')).toMatchObject({ code: 0, stderr: '' })
    expect((await muster('billing confirm')).stdout).toBe('')
  })

  test('fails without a Stripe key, with a wrong key, and without an owner', async () => {
    const { muster } = await bench()
    const stripe = await startStripeSimulator()
    onTestFinished(() => stripe.close())
    expect(await muster('billing sync')).toMatchObject({
      code: 1,
      stderr: 'Set STRIPE_SECRET_KEY: without it Muster cannot read subscriptions.\n',
    })
    const wrong = await muster('billing sync', { STRIPE_SECRET_KEY: 'sk_test_wrong', MUSTER_STRIPE_URL: stripe.url })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('The payment processor rejected the request.')
    expect(wrong.stderr).not.toContain('sk_test_wrong')
    expect(await muster('billing link cus_1')).toMatchObject({ code: 1, stderr: 'Add either --account or --org.\n' })
    expect(await muster('billing link cus_1 --org 0197b2a4-6d00-7cc3-98c4-dc0c0c07398f')).toMatchObject({ code: 1 })
  })
})
