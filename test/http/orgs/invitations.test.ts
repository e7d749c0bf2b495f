import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailServer, mailSettings, mailWorkOf, passMailTime, startMailServer } from '../../support/mail-server.ts'
import { newOrganization, organizationEvents, orgPath, type TestOrganization } from '../../support/organizations.ts'
import { problemOf } from '../../support/problem.ts'
import { type Answer, type Person, type Service, startService } from '../../support/service.ts'
import { receiverEnv, registerEndpoint } from '../../support/webhook-receiver.ts'

let service: Service
let server: MailServer
let admin: Person
beforeAll(async () => {
  server = await startMailServer()
  service = await startService({ env: { ...receiverEnv, ...mailSettings(server) } })
  admin = await service.person({ role: 'admin' })
  const events = ['organization.invitation_added', 'organization.invitation_changed', 'organization.invitation_removed']
  await registerEndpoint(service, admin.token, { url: 'https://product.example.com/muster', events })
})
afterAll(async () => {
  await service.stop()
  await server.stop()
})

interface Invitation {
  readonly id: string
  readonly token?: string
  readonly expiresAt: string
}

const invitePath = (id: string) => orgPath(id, '/invitations')
const invite = ({ id, owner }: TestOrganization, body: object, { token } = owner) =>
  service.post(invitePath(id), { token, body })

async function invited(organization: TestOrganization, body: object): Promise<Invitation> {
  const answer = await invite(organization, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body as Invitation
}

const send = ({ id, owner }: TestOrganization, invitationId: string, body?: object, { token } = owner) =>
  service.post(`${invitePath(id)}/${invitationId}/send`, { token, ...(body && { body }) })
const revoke = ({ id, owner }: TestOrganization, invitationId: string) =>
  service.call('DELETE', `${invitePath(id)}/${invitationId}`, { token: owner.token })
const accept = (invitationId: string, { token }: Pick<Person, 'token'>) =>
  service.post(`/api/v1/invitations/${invitationId}/accept`, { token })
const decline = (invitationId: string, { token }: Pick<Person, 'token'>) =>
  service.post(`/api/v1/invitations/${invitationId}/decline`, { token })
const acceptToken = (token: string | undefined, person: Person) =>
  service.post('/api/v1/orgs/accept-invitation', { token: person.token, body: { token } })
const received = (person: Pick<Person, 'token'>, query = '') =>
  service.get(`/api/v1/invitations${query}`, { token: person.token })
const listed = ({ id, owner }: TestOrganization) => service.get(invitePath(id), { token: owner.token })
const receivedIds = async (person: Pick<Person, 'token'>) => idsOf(await received(person))
const idsOf = ({ body }: Answer): string[] => Object(body).invitations.map(({ id }: Invitation) => id)
const membersOf = async ({ id, owner }: TestOrganization) =>
  Object((await service.get(orgPath(id, '/members'), { token: owner.token })).body).members

const expire = (id: string) => service.sql('update invitation set expires_at = now() where id = $1', [id])
const unverify = ({ id }: Person) =>
  service.sql('update account set email_proved_at = null, email_proved_by = null where id = $1', [id])

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
const unknown = { status: 404, code: 'invitation_unknown' }
const same = ({ body: { instance: _, ...rest } }: { body: Record<string, unknown> }) => rest

/** Sends what is queued, and returns what arrived for this email. */
async function mailsTo(email: string) {
  const work = await mailWorkOf(service)
  await work.run()
  work.close()
  return server.received.filter(({ to }) => to.includes(email))
}

describe('an invitation by email', () => {
  test('is shown to the user who has verified the email, who becomes a member by accepting', async () => {
    const organization = await newOrganization(service)
    const { id, owner } = organization
    const grace = await service.person()
    const created = await invite(organization, { email: grace.email, role: 'member' })
    const invitation = { id: expect.any(String), role: 'member', createdAt: time, expiresAt: time }
    expect(created.body).toEqual({ ...invitation, email: grace.email, mailedAt: time })
    expect(created.text).not.toContain('token')
    const { id: invitationId } = created.body as Invitation
    expect((await listed(organization)).body).toEqual({ invitations: [created.body] })
    expect((await received(grace)).body).toEqual({
      invitations: [{ ...invitation, id: invitationId, organization: { id, name: 'Engines' } }],
    })
    const accepted = await accept(invitationId, grace)
    expect([accepted.status, accepted.body]).toEqual([200, { id, name: 'Engines', role: 'member' }])
    expect(await membersOf(organization)).toContainEqual({
      id: grace.id,
      email: grace.email,
      role: 'member',
      joinedAt: time,
    })
    expect((await received(grace)).body).toEqual({ invitations: [] })
    expect((await listed(organization)).body).toEqual({ invitations: [] })
    expect(problemOf(await accept(invitationId, grace))).toEqual(unknown)
    expect(await organizationEvents(service, id)).toEqual([
      {
        action: 'invitation.created',
        actor_id: owner.id,
        details: { organization: id, role: 'member', isMailed: true },
      },
      { action: 'invitation.accepted', actor_id: grace.id, details: { organization: id, role: 'member' } },
    ])
  })

  test('matches the email whatever its case', async () => {
    const organization = await newOrganization(service)
    const email = `john.doe.${organization.id.slice(-8)}@acme.example`
    const john = await service.person({ email })
    const { id } = await invited(organization, { email: email.replace('john.doe', 'John.DOE') })
    expect((await listed(organization)).body).toMatchObject({ invitations: [{ email }] })
    await service.sql('update account set email = upper(email), email_proved_at = now() where id = $1', [john.id])
    expect(await receivedIds(john)).toEqual([id])
    expect((await accept(id, john)).status).toBe(200)
  })

  test('matches the email whether its domain is in Unicode or in A-labels, and the mail shows both', async () => {
    const organization = await newOrganization(service)
    const name = `jane.${organization.id}`
    const email = `${name}@xn--exmple-cua.example`
    const jane = await service.person({ email })
    const { id } = await invited(organization, { email: `${name.toUpperCase()}@EXÄMPLE.example` })
    expect((await listed(organization)).body).toMatchObject({ invitations: [{ id, email }] })
    expect(problemOf(await invite(organization, { email }))).toEqual({ status: 409, code: 'invitation_open' })
    expect(await receivedIds(jane)).toEqual([id])
    // The test's mail server writes recipients in Unicode.
    const [mail] = await mailsTo(`${name}@exämple.example`)
    expect(mail?.raw).toContain(`To: ${email}\r\n`)
    expect(mail?.mail.text).toContain(`${name}@exämple.example (${email})`)
    expect((await accept(id, jane)).status).toBe(200)
  })

  test('is unknown to every other user, by acceptance and by refusal, as one that does not exist', async () => {
    const organization = await newOrganization(service)
    const [grace, eve] = [await service.person(), await service.person()]
    const { id } = await invited(organization, { email: grace.email })
    const { id: link } = await invited(organization, {})
    const absent = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'
    for (const answer of [accept, decline]) {
      const [foreign, ofLink, missing] = [await answer(id, eve), await answer(link, eve), await answer(absent, eve)]
      expect(problemOf(foreign)).toEqual(unknown)
      expect(same({ body: Object(foreign.body) })).toEqual(same({ body: Object(missing.body) }))
      expect(same({ body: Object(ofLink.body) })).toEqual(same({ body: Object(missing.body) }))
      // The owner of the organization cannot answer for the invited user.
      expect(problemOf(await answer(id, organization.owner))).toEqual(unknown)
    }
    expect((await received(eve)).body).toEqual({ invitations: [] })
    expect((await accept(id, grace)).status).toBe(200)
  })

  test('waits until the email is verified', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    await unverify(grace)
    const { id } = await invited(organization, { email: grace.email })
    expect((await received(grace)).body).toEqual({ invitations: [] })
    expect(problemOf(await accept(id, grace))).toEqual(unknown)
    expect(problemOf(await decline(id, grace))).toEqual(unknown)
    await service.sql(`update account set email_proved_at = now(), email_proved_by = 'link' where id = $1`, [grace.id])
    expect(await receivedIds(grace)).toEqual([id])
    expect((await accept(id, grace)).status).toBe(200)
  })

  test('does not follow the user to another email', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    const { id } = await invited(organization, { email: grace.email })
    await service.sql(
      `update account set email = 'x' || email, email_proved_at = now(), email_proved_by = 'link' where id = $1`,
      [grace.id],
    )
    expect((await received(grace)).body).toEqual({ invitations: [] })
    expect(problemOf(await accept(id, grace))).toEqual(unknown)
  })

  test('cannot be created twice, also at once, but in several organizations', async () => {
    const [one, other] = [await newOrganization(service), await newOrganization(service)]
    const { email, token } = await service.person()
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => invite(one, { email: n % 2 ? email : email.toUpperCase() })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    const second = await invite(one, { email, role: 'owner' })
    expect(problemOf(second)).toEqual({ status: 409, code: 'invitation_open' })
    await invited(other, { email })
    expect(await receivedIds({ token })).toHaveLength(2)
  })

  test('is rejected for a member, who keeps the role', async () => {
    const organization = await newOrganization(service)
    const { email } = organization.member
    const answer = await invite(organization, { email: email.toUpperCase(), role: 'owner' })
    expect(problemOf(answer)).toEqual({ status: 409, code: 'member_already' })
    expect((await listed(organization)).body).toEqual({ invitations: [] })
    expect(await membersOf(organization)).toContainEqual(expect.objectContaining({ email, role: 'member' }))
  })

  test('can be sent to a former member', async () => {
    const organization = await newOrganization(service)
    const { id, owner } = organization
    const grace = await service.person()
    const { id: first } = await invited(organization, { email: grace.email })
    expect((await accept(first, grace)).status).toBe(200)
    const removed = await service.call('DELETE', orgPath(id, `/members/${grace.id}`), { token: owner.token })
    expect(removed.status).toBe(204)
    const { id: second } = await invited(organization, { email: grace.email, role: 'owner' })
    expect(await receivedIds(grace)).toEqual([second])
    expect((await accept(second, grace)).body).toMatchObject({ role: 'owner' })
  })

  test('ends when the user joins in another way', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    await invited(organization, { email: grace.email, role: 'owner' })
    const { token } = await invited(organization, {})
    expect((await acceptToken(token, grace)).status).toBe(200)
    expect((await received(grace)).body).toEqual({ invitations: [] })
    expect((await listed(organization)).body).toEqual({ invitations: [] })
  })

  test('cannot be accepted or declined after it has expired, and gives way to a new one', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    const { id } = await invited(organization, { email: grace.email })
    await expire(id)
    expect((await received(grace)).body).toEqual({ invitations: [] })
    for (const answer of [await accept(id, grace), await decline(id, grace), await send(organization, id)])
      expect(problemOf(answer)).toEqual(unknown)
    expect((await listed(organization)).body).toEqual({ invitations: [] })
    const { id: again } = await invited(organization, { email: grace.email })
    expect((await accept(again, grace)).status).toBe(200)
  })

  test('cannot be accepted after it was revoked, and can be created again', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    const { id } = await invited(organization, { email: grace.email })
    expect((await revoke(organization, id)).status).toBe(204)
    expect((await received(grace)).body).toEqual({ invitations: [] })
    expect(problemOf(await accept(id, grace))).toEqual(unknown)
    const { id: again } = await invited(organization, { email: grace.email })
    expect(await receivedIds(grace)).toEqual([again])
  })

  test('that was declined is shown to the organization, and opens again when it is sent again', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    const { id } = await invited(organization, { email: grace.email })
    const answer = await decline(id, grace)
    expect([answer.status, answer.text]).toEqual([204, ''])
    for (const refused of [await decline(id, grace), await accept(id, grace)])
      expect(problemOf(refused)).toEqual(unknown)
    expect((await received(grace)).body).toEqual({ invitations: [] })
    expect((await listed(organization)).body).toMatchObject({ invitations: [{ id, declinedAt: time }] })
    const sent = await send(organization, id, { expiresInHours: 2 })
    expect([sent.status, Object(sent.body).id]).toEqual([200, id])
    expect((await listed(organization)).body).toEqual({ invitations: [sent.body] })
    expect((await accept(id, grace)).status).toBe(200)
    expect((await organizationEvents(service, organization.id)).map(({ action }) => action)).toEqual([
      'invitation.created',
      'invitation.declined',
      'invitation.sent',
      'invitation.accepted',
    ])
  })

  test('that was declined can be replaced by a new one', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    const { id } = await invited(organization, { email: grace.email })
    await decline(id, grace)
    const { id: again } = await invited(organization, { email: grace.email, role: 'owner' })
    expect(idsOf(await listed(organization))).toEqual([again])
    expect((await accept(again, grace)).body).toMatchObject({ role: 'owner' })
  })

  test('is accepted once when the user accepts it several times at once', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    const { id } = await invited(organization, { email: grace.email })
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(id, grace)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
    expect(await membersOf(organization)).toHaveLength(3)
  })

  test('is either accepted or revoked when both happen at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const organization = await newOrganization(service)
      const grace = await service.person()
      const { id } = await invited(organization, { email: grace.email })
      const [accepted, revoked] = await Promise.all([accept(id, grace), revoke(organization, id)])
      expect([accepted.status, revoked.status].sort()).toEqual(accepted.status === 200 ? [200, 404] : [204, 404])
      expect(await membersOf(organization)).toHaveLength(accepted.status === 200 ? 3 : 2)
    }
  })

  test('is either accepted or deleted with the organization when both happen at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const organization = await newOrganization(service)
      const grace = await service.person()
      const { id } = await invited(organization, { email: grace.email })
      const deleting = service.call('DELETE', orgPath(organization.id), { token: organization.owner.token })
      const [accepted, deleted] = await Promise.all([accept(id, grace), deleting])
      expect([200, 404]).toContain(accepted.status)
      expect(deleted.status).toBe(204)
      expect((await service.get('/api/v1/orgs', { token: grace.token })).body).toEqual({ orgs: [] })
    }
  })

  test.each<[string, (organization: TestOrganization) => Promise<unknown>]>([
    ['was removed', ({ id, owner }) => endMembership(id, owner)],
    [
      'may no longer invite',
      ({ id, owner }) =>
        service.sql(`update membership set role_id = 'member' where organization_id = $1 and account_id = $2`, [
          id,
          owner.id,
        ]),
    ],
    ['was disabled', ({ owner }) => service.sql('update account set disabled_at = now() where id = $1', [owner.id])],
  ])('is hidden and cannot be accepted after its creator %s, until another owner sends it again', async (_, end) => {
    const organization = await newOrganization(service)
    const { id: orgId, member } = organization
    const grace = await service.person()
    const { id } = await invited(organization, { email: grace.email })
    await service.sql(`update membership set role_id = 'owner' where organization_id = $1`, [orgId])
    await end(organization)
    expect((await received(grace)).body).toEqual({ invitations: [] })
    for (const answer of [await accept(id, grace), await decline(id, grace)]) expect(problemOf(answer)).toEqual(unknown)
    expect((await send(organization, id, undefined, member)).status).toBe(200)
    expect((await accept(id, grace)).status).toBe(200)
  })

  test('is hidden and cannot be accepted while its role grants more than its creator has', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    const role = `dns-${organization.id.slice(-6)}`
    await service.sql(`insert into role (id, name, for_members) values ($1, 'DNS', true)`, [role])
    const { id } = await invited(organization, { email: grace.email, role })
    await service.sql(`insert into role_grant (role_id, resource, action) values ($1, 'dns', 'edit')`, [role])
    expect((await received(grace)).body).toEqual({ invitations: [] })
    expect(problemOf(await accept(id, grace))).toEqual(unknown)
    expect(problemOf(await send(organization, id))).toEqual({ status: 403, code: 'permission_exceeds' })
    await service.sql('delete from role_grant where role_id = $1', [role])
    expect((await accept(id, grace)).status).toBe(200)
  })

  test('is listed in pages', async () => {
    const grace = await service.person()
    const expected: string[] = []
    for (let n = 0; n < 5; n += 1)
      expected.push((await invited(await newOrganization(service), { email: grace.email })).id)
    const seen: string[] = []
    let next: string | undefined = '?limit=2'
    while (next !== undefined) {
      const page: Answer = await received(grace, next)
      seen.push(...idsOf(page))
      next = /^<\/api\/v1\/invitations(.+)>; rel="next"$/.exec(String(page.headers.link ?? ''))?.[1]
    }
    expect(seen).toEqual(expected)
  })

  test('is visible to an administrator who acts as the user, who cannot accept it', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    const { id } = await invited(organization, { email: grace.email })
    await service.post(`/api/v1/admin/users/${grace.id}/act-as`, { token: admin.token, body: { reason: 'Ticket 1' } })
    const acting = { token: admin.token, headers: { 'act-as': grace.id } }
    expect(idsOf(await service.get('/api/v1/invitations', acting))).toEqual([id])
    const answer = await service.post(`/api/v1/invitations/${id}/accept`, acting)
    expect(problemOf(answer)).toEqual({ status: 403, code: 'act_as_read_only' })
  })

  test('is deleted with the user of its email', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    await invited(organization, { email: grace.email })
    const headers = { 'if-match': '*' }
    const body = { immediately: true }
    const path = `/api/v1/admin/users/${grace.id}`
    expect((await service.call('DELETE', path, { token: admin.token, headers, body })).status).toBe(202)
    expect((await listed(organization)).body).toEqual({ invitations: [] })
  })

  test('writes a webhook without the email for each step', async () => {
    const organization = await newOrganization(service)
    const { id: orgId } = organization
    const grace = await service.person()
    const { id } = await invited(organization, { email: grace.email })
    await decline(id, grace)
    await send(organization, id)
    await accept(id, grace)
    const events = await service.sql<{ type: string; data: object }>(
      `select type, data from webhook_event where subject = $1 order by at, id`,
      [orgId],
    )
    const data = { id, orgId, role: 'member', expiresAt: time }
    expect(events).toEqual([
      { type: 'organization.invitation_added', data: { ...data, status: 'open' } },
      { type: 'organization.invitation_changed', data: { ...data, status: 'declined' } },
      { type: 'organization.invitation_changed', data: { ...data, status: 'open' } },
      { type: 'organization.invitation_removed', data: { id, orgId } },
    ])
    expect(JSON.stringify(events)).not.toContain('@')
  })
})

describe('sending an invitation again', () => {
  test('gives a link a new token, and the previous one becomes invalid', async () => {
    const organization = await newOrganization(service)
    const [eve, grace] = [await service.person(), await service.person()]
    const first = await invited(organization, { expiresInHours: 1 })
    const sent = await send(organization, first.id, { expiresInHours: 48 })
    const { token, expiresAt } = sent.body as Invitation
    expect(sent.body).toEqual({
      id: first.id,
      role: 'member',
      createdAt: time,
      expiresAt: time,
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(Date.parse(expiresAt) - Date.parse(first.expiresAt)).toBeGreaterThan(46 * 3_600_000)
    expect(problemOf(await acceptToken(first.token, eve))).toEqual(unknown)
    expect((await acceptToken(token, grace)).status).toBe(200)
  })

  test('fails for members without organization:manage, for strangers and for other organizations', async () => {
    const [organization, other] = [await newOrganization(service), await newOrganization(service)]
    const { id } = await invited(organization, { email: 'someone@else.example' })
    const { member } = organization
    expect(problemOf(await send(organization, id, undefined, member))).toEqual({
      status: 403,
      code: 'permission_missing',
    })
    expect(problemOf(await send(organization, id, undefined, admin))).toEqual({
      status: 404,
      code: 'organization_unknown',
    })
    expect(problemOf(await send(other, id))).toEqual(unknown)
  })

  test('fails if the user has become a member', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    const { id } = await invited(organization, { email: grace.email })
    await service.sql('insert into membership (organization_id, account_id) values ($1, $2)', [
      organization.id,
      grace.id,
    ])
    expect(problemOf(await send(organization, id))).toEqual({ status: 409, code: 'member_already' })
    expect((await received(grace)).body).toEqual({ invitations: [] })
  })

  test.each([
    [{ expiresInHours: 0 }, '/expiresInHours'],
    [{ language: 'xx' }, '/language'],
    [{ email: 'other@example.com' }, '/email'],
  ])('rejects %j and names the member', async (body, pointer) => {
    const organization = await newOrganization(service)
    const { id } = await invited(organization, { email: 'someone@else.example' })
    expect((await send(organization, id, body)).body).toMatchObject({
      code: 'input_invalid',
      errors: [{ pointer, detail: expect.any(String) }],
    })
  })
})

describe('the mail of an invitation', () => {
  test('names the organization and links to the page of the service, without a secret', async () => {
    const organization = await newOrganization(service)
    const email = `to.${organization.id}@mail.example`
    const { id } = await invited(organization, { email })
    const [mail, ...others] = await mailsTo(email)
    expect(others).toEqual([])
    expect(mail?.mail.subject).toBe('You are invited to an organization at muster.test')
    expect(mail?.mail.text).toContain('the organization "Engines"')
    expect(mail?.mail.text).toContain(`http://muster.test/auth/link#purpose=organization_invitation&invitation=${id}`)
    expect(mail?.mail.text).not.toContain(organization.owner.email)
    expect(mail?.raw).not.toContain('token')
  })

  test.each([
    ['in the language of the request', { language: 'de' }, null, 'Einladung in eine Organisation bei muster.test'],
    ['in the language of the service', {}, null, 'You are invited to an organization at muster.test'],
    [
      'in the language that the user has chosen',
      { language: 'en' },
      'de',
      'Einladung in eine Organisation bei muster.test',
    ],
  ])('is %s', async (_, more, chosen, subject) => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    await service.sql('update account set language = $2 where id = $1', [grace.id, chosen])
    await invited(organization, { email: grace.email, ...more })
    expect((await mailsTo(grace.email)).map(({ mail }) => mail.subject)).toEqual([subject])
  })

  test('shows a name that looks like a link as plain words, and at most 60 characters of it', async () => {
    const organization = await newOrganization(service)
    const email = `to.${organization.id}@mail.example`
    const name = `Win at https://evil.example/x <b>now</b> ${'long '.repeat(20)}end`
    await service.call('PATCH', orgPath(organization.id), { token: organization.owner.token, body: { name } })
    await invited(organization, { email })
    const [mail] = await mailsTo(email)
    const { text = '', html = '' } = mail?.mail ?? {}
    const [, shown = ''] = /"(.+)"/.exec(text) ?? []
    expect(shown).toMatch(/^Win at https evil\. example\/x <b>now<\/b> long .*…$/)
    expect(shown).toHaveLength(60)
    expect(html).toContain('&#60;b&#62;now')
    expect(html).not.toMatch(/evil\.example|<b>/)
  })

  test('is sent at most three times an hour, and the fourth leaves the invitation as it was', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    const { id } = await invited(organization, { email: grace.email })
    for (let n = 0; n < 2; n += 1) expect((await send(organization, id)).status).toBe(200)
    const before = (await listed(organization)).body
    const answer = await send(organization, id, { expiresInHours: 1 })
    expect(problemOf(answer)).toEqual({ status: 429, code: 'rate_limited' })
    expect(answer.headers['retry-after']).toBe('3600')
    expect((await listed(organization)).body).toEqual(before)
    expect(await mailsTo(grace.email)).toHaveLength(3)
    const other = await invite(await newOrganization(service), { email: grace.email })
    expect(other.status).toBe(201)
    expect(other.body).not.toHaveProperty('mailedAt')
    await passMailTime(service, 3_601)
    expect((await send(organization, id)).status).toBe(200)
    expect(await mailsTo(grace.email)).toHaveLength(4)
  })

  test('is sent at most three times an hour to one email, also when many organizations invite it at once', async () => {
    const { email } = await service.person()
    const organizations = await Promise.all(Array.from({ length: 12 }, () => newOrganization(service)))
    const answers = await Promise.all(organizations.map((organization) => invite(organization, { email })))
    expect(answers.map(({ status }) => status)).toEqual(organizations.map(() => 201))
    expect(answers.filter(({ body }) => 'mailedAt' in Object(body))).toHaveLength(3)
  })

  test('is not queued while 50 mails of the inviter wait, and the answer says so', async () => {
    const organization = await newOrganization(service)
    const grace = await service.person()
    await service.sql(
      `insert into mail_outbox (id, kind, sealed, next_at, expires_at, caller)
       select gen_random_uuid(), 'test', '', now() + interval '1 day', now() + interval '2 days',
              sha256(convert_to('account ' || $1::text, 'UTF8'))
       from generate_series(1, 50)`,
      [organization.owner.id],
    )
    const answer = await invite(organization, { email: grace.email })
    expect(answer.status).toBe(201)
    expect(answer.body).not.toHaveProperty('mailedAt')
    await service.sql(`delete from mail_outbox where kind = 'test'`)
    expect(await mailsTo(grace.email)).toEqual([])
    expect(await receivedIds(grace)).toHaveLength(1)
  })
})

function endMembership(id: string, { id: accountId }: Person) {
  return service.sql('delete from membership where organization_id = $1 and account_id = $2', [id, accountId])
}
