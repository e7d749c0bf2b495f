import { expect, test } from 'vitest'
import { newOrganization, orgPath } from '../../support/organizations.ts'
import { serviceForTest } from '../../support/service.ts'

test('without a mail server an invitation by email is not mailed, and waits for its user all the same', async () => {
  const service = await serviceForTest()
  const { id, owner } = await newOrganization(service)
  const grace = await service.person()
  const path = orgPath(id, '/invitations')
  const created = await service.post(path, { token: owner.token, body: { email: grace.email } })
  expect(created.body).toEqual({
    id: expect.any(String),
    email: grace.email,
    role: 'member',
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
  })
  const { id: invitationId } = created.body as { id: string }
  const sent = await service.post(`${path}/${invitationId}/send`, { token: owner.token })
  expect(sent.status).toBe(200)
  expect(sent.body).not.toHaveProperty('mailedAt')
  expect(await service.sql('select from mail_outbox')).toEqual([])
  const accepted = await service.post(`/api/v1/invitations/${invitationId}/accept`, { token: grace.token })
  expect(accepted.body).toEqual({ id, name: 'Engines', role: 'member' })
  expect(await service.logged()).not.toContain(grace.email)
})
