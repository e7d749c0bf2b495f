import { describe, expect, onTestFinished, test } from 'vitest'
import { mailServerForTest, mailSettings, mailWorkOf } from '../../support/mail-server.ts'
import { problemOf } from '../../support/problem.ts'
import { type Person, type Service, serviceForTest, testInProcess } from '../../support/service.ts'
import { newClient } from '../../support/test-client.ts'
import {
  nodeForTest,
  receiverEnv,
  receiverForTest,
  registerEndpoint,
  webhooksPath,
} from '../../support/webhook-receiver.ts'

/** Each test has a row in docs/limits.md, like those in limits.test.ts. */
const behindProxy = { MUSTER_TRUSTED_PROXIES: '127.0.0.1' }

describe('limits on sign-in, sign-up and recovery', () => {
  test('give many IPv6 networks of one customer one shared limit', async () => {
    const env = { ...behindProxy, ...mailSettings({ url: 'smtp://127.0.0.1:1' }), MUSTER_SIGN_INS_PER_MINUTE: '2' }
    const service = await serviceForTest({ env })
    const ask = (address: string) => newClient(service, address).post('/auth/recovery', { email: 'ada@example.com' })
    const statuses: number[] = []
    for (let n = 0; n < 9; n += 1) statuses.push((await ask(`2001:db8:1:${n}::1`)).status)
    expect(statuses).toEqual([...Array(8).fill(202), 429])
    expect((await ask('2001:db8:2::1')).status).toBe(202)
  })

  test('do not count rejected attempts of one IP address against its neighbors', async () => {
    const service = await serviceForTest({ env: { ...behindProxy, MUSTER_SIGN_INS_PER_MINUTE: '2' } })
    const signIn = (address: string) => newClient(service, address).signIn('nobody@example.com', 'wrong')
    for (let n = 0; n < 12; n += 1) await signIn('198.51.100.1')
    expect((await signIn('198.51.100.2')).status).toBe(401)
  })
})

test('ends the account’s least recently used session when it opens the 101st, and no session of another account', async () => {
  const service = await serviceForTest({ env: behindProxy })
  const [greedy, other] = [await service.person(), await service.person()]
  const kept = await newClient(service).openSession(other)
  await service.sql(
    `insert into session (account_id, amr, expires_at, last_used_at)
     select $1, '{pwd}', now() + interval '1 day', now() - n * interval '1 minute' from generate_series(1, 100) n`,
    [greedy.id],
  )
  await newClient(service).openSession(greedy)
  const open = `select from session where account_id = $1 and ended_at is null`
  expect(await service.sql(open, [greedy.id])).toHaveLength(100)
  expect((await service.get('/api/v1/user/data', { token: kept.access })).status).toBe(200)
})

async function mailing(env: Readonly<Record<string, string>>) {
  const server = await mailServerForTest()
  const service = await serviceForTest({ env: { ...behindProxy, ...mailSettings(server), ...env } })
  const work = await mailWorkOf(service)
  onTestFinished(() => work.close())
  return { service, work, sentTo: () => server.received.flatMap(({ to }) => to) }
}
const waitingMails = `select from mail_outbox where given_up_at is null`

testInProcess('sends a mail for one network while the mails of another network wait for the next hour', async () => {
  const { service, work, sentTo } = await mailing({ MUSTER_MAILS_PER_HOUR: '40' })
  const people = await Promise.all(Array.from({ length: 7 }, () => service.person()))
  const [other, ...greedy] = people.map(({ email }) => email)
  const recover = async (email: string | undefined, address: string) =>
    expect((await newClient(service, address).post('/auth/recovery', { email })).status).toBe(202)
  for (const email of greedy) await recover(email, '198.51.100.1')
  await work.run()
  expect(greedy).toEqual(expect.arrayContaining(sentTo()))
  expect(sentTo()).toHaveLength(2)
  expect(await service.sql(waitingMails)).toHaveLength(4)
  await recover(other, '203.0.113.1')
  await work.run()
  expect(sentTo()).toContain(other)
  expect(await service.sql(waitingMails)).toHaveLength(4)

  await service.sql(`update mail_share set hour = hour - interval '1 hour'`)
  await work.run()
  expect(sentTo()).toHaveLength(5)
})

testInProcess(
  'takes no further mail for an account for which 50 mails wait, and takes those of another account',
  async () => {
    const { service } = await mailing({})
    const password = 'seventeen small turtles'
    const [greedy, other] = [await service.person({ password }), await service.person({ password })]
    const change = async ({ token }: Person, n: number) => {
      const body = { currentPassword: `${password}${n || ''}`, newPassword: `${password}${n + 1}` }
      return service.call('PUT', '/auth/password', { token, body })
    }
    expect((await change(greedy, 0)).status).toBe(204)
    await service.sql(
      `insert into mail_outbox (id, kind, account_id, sealed, expires_at, caller)
     select gen_random_uuid(), kind, account_id, sealed, expires_at, caller from mail_outbox, generate_series(2, 50)`,
    )
    expect([(await change(greedy, 1)).status, (await change(other, 0)).status]).toEqual([204, 204])
    expect(await service.sql(`${waitingMails} and account_id = $1`, [greedy.id])).toHaveLength(50)
    expect(await service.sql(`${waitingMails} and account_id = $1`, [other.id])).toHaveLength(1)
  },
)

test('lets another member invite after one member has created half of the open invitations', async () => {
  const service = await serviceForTest()
  const [greedy, other] = [await service.person(), await service.person()]
  const [{ id } = { id: '' }] = await service.sql<{ id: string }>(
    `insert into organization (name) values ('Engines') returning id`,
  )
  await service.sql(
    `insert into membership (organization_id, account_id, role_id) select $1, unnest($2::uuid[]), 'owner'`,
    [id, [greedy.id, other.id]],
  )
  await service.sql(
    `insert into invitation (organization_id, role_id, token_hash, created_by, expires_at)
     select $1, 'member', sha256(n::text::bytea), $2, now() + interval '1 day' from generate_series(1, 49) n`,
    [id, greedy.id],
  )
  const invite = ({ token }: Person) =>
    service.post(`/api/v1/orgs/${id}/invitations`, { token, body: { role: 'member', expiresInHours: 1 } })
  expect((await invite(greedy)).status).toBe(201)
  expect(problemOf(await invite(greedy))).toEqual({ status: 409, code: 'invitations_full' })
  expect((await invite(other)).status).toBe(201)
})

const endpoint = { url: 'https://example.com/', events: ['user.created'] }

test('lets another administrator register webhook endpoints after one has registered half of them', async () => {
  const service = await serviceForTest()
  const [greedy, other] = [await service.person({ role: 'admin' }), await service.person({ role: 'admin' })]
  const register = ({ token }: Person) => service.post(webhooksPath, { token, body: endpoint })
  for (let n = 0; n < 10; n += 1) expect((await register(greedy)).status).toBe(201)
  const refused = await register(greedy)
  expect(problemOf(refused)).toEqual({ status: 409, code: 'webhook_endpoints_full' })
  expect(refused.body).toMatchObject({ detail: expect.stringContaining('One administrator can register 10.') })
  expect((await register(other)).status).toBe(201)
})

testInProcess(
  'delivers webhooks to one endpoint while another endpoint answers none of its deliveries and replays',
  async () => {
    const service = await serviceForTest({ env: receiverEnv })
    const { token } = await service.person({ role: 'admin' })
    const [silent, other] = [await receiverForTest(), await receiverForTest()]
    silent.replies.push(...Array(20).fill('silence'))
    const { id } = await registerEndpoint(service, token, { ...endpoint, url: silent.url, events: ['user.deleted'] })
    await registerEndpoint(service, token, { url: other.url, events: ['organization.created'] })
    for (let n = 0; n < 8; n += 1) await service.post(`${webhooksPath}/${id}/test`, { token })
    const node = await nodeForTest(service)
    await node.start()
    await expect.poll(() => silent.received).toHaveLength(4)
    await service.sql(`insert into organization (name) values ('Engines')`)
    await node.start()
    await expect.poll(() => other.received).toHaveLength(1)
    expect(silent.received).toHaveLength(4)
    silent.server.closeAllConnections()
    await removeEndpoint(service, token, id)
    await node.settled()
  },
)

async function removeEndpoint(service: Service, token: string, id: string): Promise<void> {
  expect((await service.call('DELETE', `${webhooksPath}/${id}`, { token })).status).toBe(204)
}
