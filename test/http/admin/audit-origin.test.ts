import { expect, test } from 'vitest'
import { serviceForTest } from '../../support/service.ts'

test('no text in X-Forwarded-For makes a change or key check fail, and each audit event has an address or none', async () => {
  const service = await serviceForTest({
    env: { MUSTER_TRUSTED_PROXIES: '127.0.0.1', MUSTER_CLOUDFLARE_URL: 'http://127.0.0.1:1' },
  })
  const admin = await service.person({ role: 'admin' })
  for (const junk of [
    'x'.repeat(150),
    '"',
    `fe80::1%${'z'.repeat(150)}`,
    ',,',
    '::ffff:1.2.3.4.5',
    '%00',
    '-'.repeat(4_000),
  ]) {
    const headers = { 'x-forwarded-for': junk, 'if-match': '*' }
    const { id } = await service.person()
    const statuses = [
      await service.post('/api/v1/orgs', { token: admin.token, headers, body: { name: 'Engines' } }),
      await service.post(`/api/v1/admin/users/${id}/disable`, { token: admin.token, headers }),
      await service.call('DELETE', `/api/v1/admin/users/${id}/sessions`, { token: admin.token, headers }),
    ].map(({ status }) => status)
    expect([junk, ...statuses]).toEqual([junk, 201, 200, 200])
    const checked = await service.post('/api/v1/provider/keys/validate', {
      token: admin.token,
      headers,
      body: { apiKey: 'k', keyType: 'api_token' },
    })
    expect(checked.status).not.toBe(500)
  }
  const noted = await service.sql<{ address: string }>(
    `select distinct address from audit_event where request_id is not null`,
  )
  for (const { address } of noted) expect(address.length).toBeLessThanOrEqual(100)
})

test('the log line of a rejected request has the account, or the subject if there is no account', async () => {
  const service = await serviceForTest()
  const user = await service.person()
  const disabled = await service.person()
  const others = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'
  await service.sql('update account set disabled_at = now() where id = $1', [disabled.id])
  const refused = [
    [await service.get('/api/v1/admin/users/fetch', { token: user.token }), { account: user.id }],
    [await service.get('/api/v1/user/data', { token: disabled.token }), { account: disabled.id }],
    [
      await service.call('PUT', '/auth/password', {
        token: user.token,
        body: { currentPassword: 'wrong horse', newPassword: 'another horse battery' },
      }),
      { account: user.id },
    ],
    [await service.get(`/api/v1/orgs/${others}/members`, { token: user.token }), { account: user.id }],
    [
      await service.get('/api/v1/user/data?orgId=1', { token: user.token }),
      { issuer: 'urn:muster:issuer', subject: user.id },
    ],
    [await service.get('/api/v1/user/data'), undefined],
  ] as const
  const lines = (await service.logged()).split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  for (const [{ status, headers }, actor] of refused) {
    expect([400, 401, 403, 404]).toContain(status)
    const [line] = lines.filter(({ requestId }) => requestId === headers['x-request-id'])
    expect(line).toMatchObject({ msg: 'request', status })
    expect(line.actor).toEqual(actor)
  }
})
